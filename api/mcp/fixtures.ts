import type { Config } from '../../platform/config.ts';
import type { Fixtures } from './fixtures/types.ts';

/** None, unless the process was started for the conformance tester; their code is then read for the first time. */
export async function loadFixtures(config: Config): Promise<Fixtures | undefined> {
  return config.MCP_FIXTURE_TOOLS ? (await import('./fixtures/index.ts')).fixtures : undefined;
}
