export { VERIFICATION_EVENT } from '../contracts/event-names.ts';

/** The challenge inside a verification event's data. */
export function challengeOf(dataText: string): string | undefined {
  const challenge = (JSON.parse(dataText) as { challenge?: unknown }).challenge;
  return typeof challenge === 'string' ? challenge : undefined;
}

/** Whether an answer is a JSON object that gives the challenge back. */
export function echoes(answer: string, challenge: string | undefined): boolean {
  if (challenge === undefined) return false;
  try {
    return (JSON.parse(answer) as { challenge?: unknown } | null)?.challenge === challenge;
  } catch {
    return false;
  }
}
