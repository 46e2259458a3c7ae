/** Broadcast whenever something that OAuth tokens rest on has changed: what it is, and its id. */
export const OAUTH_CHANGED = 'oauth.changed';

export type OAuthChange = `chain:${string}` | `jti:${string}` | `application:${string}`;
