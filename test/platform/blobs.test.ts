import { expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createBlobStore } from '../../platform/blobs.ts';
import { loadConfig } from '../../platform/config.ts';
import { processEnvironment, testDatabase } from '../support/stack.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

it('a stream that breaks off at once leaves nothing behind a clean-up that follows its failure', async () => {
  const database = await testDatabase();
  const blobs = createBlobStore(loadConfig(processEnvironment(database, { BLOB_DIR: folder })));
  await blobs.put('a/kept', Buffer.from('kept'));
  const attempts = Array.from({ length: 200 }, async (_, index) => {
    const bytes = new Readable({ read: () => undefined });
    if (index % 2 === 0) bytes.push('begun');
    setImmediate(() => bytes.destroy(new Error('broken off')));
    await expect(blobs.putStream(`a/${String(index)}`, bytes)).rejects.toThrow();
    await blobs.delete(`a/${String(index)}`);
  });
  await Promise.all(attempts);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await readdir(`${folder}/a`)).toEqual(['kept']);
  await database.drop();
});
