/** A process with a pool, to be killed without warning. Sends its child's pid. */
import { fileURLToPath } from 'node:url';
import { ChildPool } from '../../../documents/pool/pool.ts';

const pool = new ChildPool({
  script: fileURLToPath(new URL('./misbehaving-child.ts', import.meta.url)),
  size: 1,
  threads: 1,
  memoryLimitMb: 300,
  timeoutMs: 60_000,
  recycleAfter: 100,
  log: () => undefined,
});
process.send?.(await pool.run({ kind: 'read', bytes: Buffer.from('who are you'), page: 1 }));
