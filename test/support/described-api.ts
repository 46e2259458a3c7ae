import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../../api/adapters/openapi.ts';
import { runFolder } from './stack.ts';

const PUBLIC_URL = 'https://api.business.test';

/** The OpenAPI document of this run's code: derived by the first test file that asks, read from its file by the others. */
export function describedApi(): Record<string, unknown> {
  const file = join(runFolder(), 'openapi.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  } catch {
    const document = openApiDocument(PUBLIC_URL);
    const beside = `${file}.${String(process.pid)}`;
    writeFileSync(beside, JSON.stringify(document));
    renameSync(beside, file);
    return document;
  }
}
