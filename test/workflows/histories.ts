import proto from '@temporalio/proto';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const { History } = proto.temporal.api.history.v1;
export type WorkflowHistory = proto.temporal.api.history.v1.IHistory;

const FOLDER = join(import.meta.dirname, '../histories');

/** Names of the recorded histories. */
export function historyNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
}

export async function readHistory(name: string): Promise<WorkflowHistory> {
  return History.fromObject(
    JSON.parse(await readFile(join(FOLDER, `${name}.json`), 'utf8')) as Record<string, unknown>,
  );
}

/** Everything that a history holds, payloads in the clear, to be searched. */
export function historyText(history: WorkflowHistory): string {
  return Buffer.from(History.encode(History.fromObject(history)).finish()).toString('utf8');
}

/** With RECORD_HISTORIES set, keeps a history for replay.test.ts; otherwise does nothing. */
export async function recordHistory(name: string, history: WorkflowHistory): Promise<void> {
  if (process.env['RECORD_HISTORIES'] === undefined) return;
  const readable = History.toObject(History.fromObject(history), { enums: String, longs: String, bytes: String });
  await writeFile(join(FOLDER, `${name}.json`), `${JSON.stringify(readable, null, 1)}\n`);
}
