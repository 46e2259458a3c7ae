/** A child of the pool that does what the text of its file says: for tests of the pool alone. */
import type { ChildRequest } from '../../../documents/pool/protocol.ts';

const hog: Buffer[] = [];

process.on('disconnect', () => process.exit(0));
process.on('message', (request: ChildRequest) => {
  const order = Buffer.from(request.bytes).toString();
  const answer = (): void => void process.send?.({ id: request.id, ok: true, value: process.pid });
  if (order === 'crash') process.exit(139);
  if (order === 'hang') for (;;) Math.random();
  if (order === 'be killed') process.kill(process.pid, 'SIGKILL');
  if (order === 'gulp') hog.push(Buffer.alloc(1_500_000_000, 1));
  if (order === 'keep 140 MB') hog.push(Buffer.alloc(140_000_000, 1));
  if (order === 'eat') setInterval(() => hog.push(Buffer.alloc(20e6, 1)), 5);
  else if (order === 'sleep') setTimeout(answer, 200);
  else if (order === 'say null') process.send?.(null);
  else if (order === 'say garbage') process.send?.({ id: 'x', ok: 1, value: [] });
  else if (order === 'answer another') {
    process.send?.({ id: request.id + 1000, ok: true, value: 'not yours' });
    answer();
  } else if (order === 'answer twice') {
    answer();
    process.send?.({ id: request.id, ok: true, value: 'again' });
  } else if (order === 'die later') {
    answer();
    setTimeout(() => process.exit(1), 20);
  } else answer();
});
process.send?.({ id: 0, ok: true, value: 'ready' });
