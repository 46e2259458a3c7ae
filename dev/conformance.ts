import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { HeaderProxy } from './conformance/header-proxy.ts';
import { withOwnStack } from './own-stack.ts';
import { failures, reportMarkdown } from './conformance/report.ts';
import type { Revision } from './conformance/report.ts';
import { runTester, testerVersion } from './conformance/tester.ts';
import { messageOf, StartError } from './errors.ts';
import { makePrivateFolder } from './files.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPORT = 'docs/mcp-conformance.md';
const REVISIONS = ['2025-11-25', '2026-07-28'];

/** `npm run conformance:mcp`: the official tester against a stack of its own; its results go to docs/. */
async function main(): Promise<number> {
  const folder = join(ROOT, 'var/conformance');
  rmSync(folder, { recursive: true, force: true });
  makePrivateFolder(folder);
  const proxy = new HeaderProxy();
  const origin = await proxy.listen();
  const environment = { RATE_LIMIT_DISABLED: 'true', MCP_FIXTURE_TOOLS: 'true', MCP_ALLOWED_ORIGINS: origin };
  try {
    return await withOwnStack({ root: ROOT, varDir: join(folder, 'stack'), environment }, async (ready) => {
      proxy.lead(ready.api_url, { 'x-api-key': ready.demo.api_key });
      const done: Revision[] = [];
      for (const revision of REVISIONS) {
        const scenarios = await runTester(`${origin}/api/v1/public/mcp`, revision, join(folder, revision));
        if (scenarios.length === 0) throw new StartError(`the tester ran nothing for ${revision}`);
        done.push({ revision, scenarios });
      }
      await writeReport(done);
      return tell(done);
    });
  } finally {
    await proxy.close();
  }
}

async function writeReport(done: readonly Revision[]): Promise<void> {
  const path = join(ROOT, REPORT);
  const options = { ...(await resolveConfig(path)), filepath: path };
  writeFileSync(path, await format(reportMarkdown(testerVersion(), done), options));
}

/** Says what failed, one line each; the exit code is 0 where nothing did. */
function tell(done: readonly Revision[]): number {
  const lines = done.flatMap(({ revision, scenarios }) =>
    scenarios.flatMap((scenario) =>
      failures(scenario).map(({ id, errorMessage = '' }) => `${revision} ${scenario.name} ${id}: ${errorMessage}`),
    ),
  );
  const words = lines.length === 0 ? 'Every applicable scenario passes.' : `${String(lines.length)} checks fail:`;
  process.stdout.write([words, ...lines, `The results are in ${REPORT}.`, ''].join('\n'));
  return lines.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
