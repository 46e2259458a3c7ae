import { isApplicable, partOf, whyNotApplicable } from './applicable.ts';
import type { Check, Scenario } from './tester.ts';

export interface Revision {
  revision: string;
  scenarios: Scenario[];
}

/** The checks of a scenario that apply to us and failed. */
export function failures({ name, checks }: Scenario): Check[] {
  if (whyNotApplicable(name) !== undefined) return [];
  const applicable = checks.filter(({ id }) => isApplicable(name, id));
  if (applicable.length === 0) return [{ id: name, status: 'FAILURE', errorMessage: 'the tester checked nothing' }];
  return applicable.filter(({ status }) => status === 'FAILURE');
}

/** docs/mcp-conformance.md: what ran, how it went, and what says nothing of us. */
export function reportMarkdown(tester: string, revisions: readonly Revision[]): string {
  return [
    '# MCP conformance',
    `Made by \`npm run conformance:mcp\` with \`@modelcontextprotocol/conformance\` ${tester}: a fresh stack with the tester’s
fixture tools (\`MCP_FIXTURE_TOOLS=true\`) and the proxy's origin as the only one (\`MCP_ALLOWED_ORIGINS\`), a proxy before it that
adds the API key, and every server scenario of \`--requirements\`. The server offers tools only, without a session. Scenarios
that need more are listed with the reason.`,
    ...revisions.flatMap(sectionOf),
    '',
  ].join('\n\n');
}

function sectionOf({ revision, scenarios }: Revision): string[] {
  const ours = scenarios.filter(({ name }) => whyNotApplicable(name) === undefined);
  const passed = ours.filter((scenario) => failures(scenario).length === 0).length;
  const others = scenarios.filter(({ name }) => whyNotApplicable(name) !== undefined);
  return [
    `## Revision ${revision}: ${String(passed)} of ${String(ours.length)} applicable scenarios pass`,
    table(['scenario', 'result', 'checks'], ours.map(rowOf)),
    'Not applicable:',
    table(
      ['scenario', 'why'],
      others.map(({ name }) => [code(name), whyNotApplicable(name) ?? '']),
    ),
  ];
}

function rowOf(scenario: Scenario): string[] {
  const { name, checks } = scenario;
  const applicable = checks.filter(({ id }) => isApplicable(name, id));
  const failed = failures(scenario);
  const counts = (['SUCCESS', 'WARNING', 'SKIPPED', 'INFO', 'FAILURE'] as const).flatMap((status) => {
    const count = applicable.filter((check) => check.status === status).length;
    return count === 0 ? [] : [`${String(count)} ${WORDS[status]}`];
  });
  const notes = [partOf(name), ...applicable.filter(isWorthAWord).map(noteOf)].filter((note) => note !== '');
  const words = [counts.join(', '), ...new Set(notes)].join('; ');
  return [code(name), failed.length === 0 ? 'pass' : '**fail**', words];
}

const WORDS = { SUCCESS: 'passed', WARNING: 'warned', SKIPPED: 'skipped', INFO: 'noted', FAILURE: 'failed' } as const;

function isWorthAWord({ status }: Check): boolean {
  return status === 'FAILURE' || status === 'WARNING';
}

function noteOf({ id, errorMessage }: Check): string {
  return errorMessage === undefined ? code(id) : `${code(id)}: ${errorMessage.replaceAll(/\s+/g, ' ')}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
