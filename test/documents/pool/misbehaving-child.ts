/** A child of the pool that does what the text of its file says: for tests of the pool alone. */
import type { ChildRequest } from '../../../documents/pool/protocol.ts';

const hog: Buffer[] = [];

process.on('disconnect', () => process.exit(0));
process.on('message', (request: ChildRequest) => {
  const order = Buffer.from(request.bytes).toString();
  if (order === 'crash') process.exit(139);
  if (order === 'hang') for (;;) Math.random();
  if (order === 'eat') setInterval(() => hog.push(Buffer.alloc(20e6, 1)), 5);
  else if (order === 'sleep') setTimeout(() => process.send?.({ id: request.id, ok: true, value: process.pid }), 200);
  else process.send?.({ id: request.id, ok: true, value: process.pid });
});
process.send?.({ id: 0, ok: true, value: 'ready' });
