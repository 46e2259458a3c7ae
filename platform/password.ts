import { hash, verify } from '@node-rs/argon2';

/** OWASP's first recommendation for argon2id: 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

let decoy: Promise<string> | undefined;

/**
 * Whether `password` belongs to `passwordHash`. Without a hash (an unknown user) a decoy is checked and the answer is
 * false, so that both cases take the same time.
 */
export async function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  decoy ??= hashPassword('decoy');
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash !== undefined;
}
