import { inputSchema } from '../adapters/action-schema.ts';
import { actions } from '../registry.ts';
import type { Action } from '../registry.ts';

/**
 * docs/actions.md: every action in one table, area by area, whatever the day. The page /docs/actions says what each
 * parameter means.
 */
export function actionsTable(): string {
  const areas = Map.groupBy(actions.values(), ({ area }) => area);
  const sections = [...areas].map(([area, listed]) => `## ${area}\n\n${tableOf(listed)}`);
  return [
    '# Actions',
    `All ${String(actions.size)} actions of the Public Data API. They are the operations of a batch and the tools of agents, too.
Made from the registry by \`npm run docs:actions\`; a test fails when this file is out of date. Parameters in **bold** are
required; one of the scopes is enough. The page \`/docs/actions\` says what each parameter means.`,
    ...sections,
    '',
  ].join('\n\n');
}

function tableOf(listed: readonly Action[]): string {
  const head = ['| action | does | scopes | parameters |', '| --- | --- | --- | --- |'];
  return [...head, ...listed.map(rowOf)].join('\n');
}

function rowOf(action: Action): string {
  const { name, title, effects, scopes, deprecation } = action;
  const { properties = {}, required = [] } = inputSchema(action);
  const end = deprecation === undefined ? '' : `, deprecated since ${deprecation.since}`;
  const parameters = Object.keys(properties).map((parameter) =>
    required.includes(parameter) ? `**${parameter}**` : parameter,
  );
  const needed = (scopes ?? []).map((scope) => `\`${scope}\``);
  const cells = [`\`${name}\``, `${title} (${effects}${end})`, needed.join(' '), parameters.join(', ')];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|') || 'none').join(' | ')} |`;
}
