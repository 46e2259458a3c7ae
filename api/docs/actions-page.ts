import { discovery } from '../adapters/discovery.ts';
import { actions } from '../registry.ts';

/** The page of all actions, as Markdown, from the same metadata as the discovery endpoint. */
export function actionsMarkdown(now: number): string {
  const sections = discovery(now).available_actions.map((entry) => {
    const parameters = Object.entries(entry.parameters).map(([name, { type, required, description, ...rest }]) => {
      const values = rest.enum === undefined ? '' : ` One of ${rest.enum.map((value) => code(value)).join(', ')}.`;
      const otherwise = rest.default === undefined ? '' : ` Default ${code(rest.default)}.`;
      const words = `${sentence(description)}${values}${otherwise}`;
      return `| \`${name}\` | ${type} | ${required ? 'yes' : 'no'} | ${cell(words)} |`;
    });
    const scopes = entry.required_scopes.map((scope) => `\`${scope}\``).join(' or ');
    const table = ['| parameter | type | required | meaning |', '| --- | --- | --- | --- |', ...parameters];
    return [
      `## ${entry.action}`,
      deprecationWords(entry.action, entry.sunset),
      entry.description,
      scopes === '' ? 'Needs no scope.' : `Scope: ${scopes}.`,
      parameters.length === 0 ? 'It has no parameters.' : table.join('\n'),
    ].join('\n\n');
  });
  return ['# Actions', INTRODUCTION, ...sections].join('\n\n');
}

const INTRODUCTION = `What \`POST /api/v1/public/data\` can do. Each action is also an operation of a batch and a tool for agents. How to call
them: [Public Data API](/docs/guides/public-data). \`GET /api/v1/public/data\` answers with the same list as JSON.`;

/** What a deprecated action says of its end, and where its replacement is described. */
function deprecationWords(action: string, sunset: string | undefined): string {
  const deprecation = actions.get(action)?.deprecation;
  if (deprecation === undefined || sunset === undefined) return '';
  return `**Deprecated**, ends ${sunset}. Use ${deprecation.replacement}: [how](${deprecation.guide}).`;
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function sentence(text: string): string {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}
