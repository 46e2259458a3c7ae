import { DocumentError, firstLine } from '../errors.ts';
import type { ChildAnswer, ComputeRequest } from '../pool/protocol.ts';
import { computations } from './computations.ts';

function answer({ id, name, input }: ComputeRequest): ChildAnswer {
  try {
    const compute = computations[name] as (...input: unknown[]) => unknown;
    return { id, ok: true, value: JSON.stringify(compute(...(JSON.parse(input) as unknown[]))) };
  } catch (error) {
    if (error instanceof DocumentError) {
      return { id, ok: false, code: error.code, message: error.message, field: error.field };
    }
    return { id, ok: false, code: 'BROKEN', message: `The document can't be worked on: ${firstLine(error)}` };
  }
}

process.on('message', (request: ComputeRequest) => {
  process.send?.(answer(request));
  // A child that waits must not hold on to what it worked on last.
  globalThis.gc?.();
});
// The parent is gone, even by kill -9: nobody is left to answer to.
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group; the parent decides when its children go.
process.on('SIGINT', () => undefined);

process.send?.({ id: 0, ok: true, value: 'ready' } satisfies ChildAnswer);
