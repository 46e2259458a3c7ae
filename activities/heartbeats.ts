import { Context } from '@temporalio/activity';
import { refusable } from './refusals.ts';

/** Well within the heartbeat timeouts of the workflows. */
const HEARTBEAT_MS = 2_000;

/**
 * Heartbeats while something goes on, so that Temporal soon gives it to another worker where this one has died. `work` gets
 * the signal by which Temporal cancels it.
 */
export async function heartbeating<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const timer = setInterval(() => {
    context.heartbeat();
  }, HEARTBEAT_MS);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}

/** A step that computes: with a large document it goes on in a child for as long as a minute, or is refused. */
export function computed<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  return heartbeating((signal) => refusable(() => work(signal)));
}
