/** Sent to a new endpoint that asked for verification, and to no other. */
export const VERIFICATION_EVENT = 'webhook.verification';

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
