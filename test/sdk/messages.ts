import { createSigningSecret, signatureHeaders, signingKey } from '../../domain/webhooks/signing.ts';

export const NOW = new Date('2026-11-21T08:30:00.000Z');
export const NOW_SECONDS = NOW.getTime() / 1_000;
export const BODY = JSON.stringify({ event: 'job.created', data: { title: 'Kühlraum – pump №4 🧊' } });

export interface TestKey {
  secret: string;
  seed?: string;
}

export const newKey = (seed?: string): TestKey => ({
  secret: createSigningSecret(),
  ...(seed === undefined ? {} : { seed }),
});

/** The headers that the product would send, with its own names. The first key is the current one. */
export function signed(
  keys: readonly TestKey[],
  { body = BODY, timestamp = NOW_SECONDS, id = 'evt_0198c5c8-27ba-7c4e-8a3d-5f1c0e7b9a10' } = {},
): Record<string, string> {
  const made = keys.map(({ secret, seed }, index) => {
    const expiresAt = index === 0 ? null : (timestamp + 60) * 1_000;
    return signingKey(keys.length - index, secret, expiresAt, seed ?? null);
  });
  return signatureHeaders(made, { id, timestamp, body });
}
