/**
 * `answer`, or a rejection when it takes longer than `ms`. When the event loop itself was late, the answer may already
 * lie in the socket: it is read before the time counts as over.
 */
export async function within<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      setImmediate(() => {
        setImmediate(reject, new Error(`no answer within ${String(ms)} ms`));
      });
    }, ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
