import { expect, it } from '@jest/globals';
import { readdir, writeFile } from 'node:fs/promises';
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

it('a reader finds the old bytes or the new ones, never a part, and nothing is left beside them', async () => {
  const database = await testDatabase();
  const blobs = createBlobStore(loadConfig(processEnvironment(database, { BLOB_DIR: folder })));
  const sizes = [3_000_000, 2_000_000];
  await blobs.put('b/whole', Buffer.alloc(sizes[0] ?? 0, 1));
  const end = new AbortController();
  const writing = (async () => {
    for (let round = 1; round <= 20; round += 1) await blobs.put('b/whole', Buffer.alloc(sizes[round % 2] ?? 0, 1));
    end.abort();
  })();
  const seen = new Set<number>();
  while (!end.signal.aborted) seen.add((await blobs.get('b/whole')).length);
  await writing;
  expect([...seen].filter((size) => !sizes.includes(size))).toEqual([]);
  expect(await readdir(`${folder}/b`)).toEqual(['whole']);
  expect(await readdir(`${folder}/.unfinished`)).toEqual([]);
  await database.drop();
});

it('what a write left behind that was cut off is swept away after an hour', async () => {
  const database = await testDatabase();
  const blobs = createBlobStore(loadConfig(processEnvironment(database, { BLOB_DIR: folder })));
  await blobs.put('c/whole', Buffer.from('whole'));
  await writeFile(`${folder}/.unfinished/cut-off`, 'the beginning of a document');
  await blobs.sweep(Date.now());
  expect(await readdir(`${folder}/.unfinished`)).toEqual(['cut-off']);
  await blobs.sweep(Date.now() + 3_700_000);
  expect(await readdir(`${folder}/.unfinished`)).toEqual([]);
  expect(await readdir(`${folder}/c`)).toEqual(['whole']);
  await database.drop();
});
