export { createAuthenticator } from './authenticate.ts';
export type { Authenticator, OAuthTokenCheck } from './authenticate.ts';
export { countTry } from './failures.ts';
export {
  addRefreshToken,
  isRefreshToken,
  lockChain,
  lockRefreshToken,
  markUsed,
  presentRefreshToken,
  revokeChain,
} from './refresh-chain.ts';
export { changePassword } from './change-password.service.ts';
export { passwordRefusal } from './confirm-password.ts';
export { checkLogin, currentUser, login, logout, refresh } from './sessions.service.ts';
export type { SessionDeps } from './sessions.service.ts';
export {
  endBrowserSession,
  findBrowserSession,
  SESSION_SECONDS,
  startBrowserSession,
} from './browser-sessions.service.ts';
export type { BrowserSession, SessionUser } from './browser-sessions.service.ts';
