export { createAuthenticator } from './authenticate.ts';
export type { Authenticator } from './authenticate.ts';
export { passwordRefusal } from './confirm-password.ts';
export { currentUser, login, logout, refresh } from './sessions.service.ts';
export type { SessionDeps } from './sessions.service.ts';
