import { Context } from '@temporalio/activity';

/** Well within the heartbeat timeouts of the workflows. */
const HEARTBEAT_MS = 3_000;

/** Heartbeats while something goes on, so that Temporal soon gives it to another worker where this one has died. */
export async function alive<Result>(work: () => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const timer = setInterval(() => {
    context.heartbeat();
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
