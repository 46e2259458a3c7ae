/** Broadcast whenever something that callers' rights rest on has changed: whose, and the id. */
export const ACCESS_CHANGED = 'access.changed';

export type AccessChange = `user:${string}` | `client:${string}`;

/** Whether a change is about this user or its client. */
export function isAbout(message: string, caller: { clientId: number; userId: number | null }): boolean {
  const own: AccessChange[] = [`client:${String(caller.clientId)}`];
  if (caller.userId !== null) own.push(`user:${String(caller.userId)}`);
  return (own as string[]).includes(message);
}
