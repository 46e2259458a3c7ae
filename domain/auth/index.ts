export { createAuthenticator } from './authenticate.ts';
export type { Authenticator, OAuthTokenCheck } from './authenticate.ts';
export { acceptInvitation, forgetPresented, presentAccountLink } from './accept-invitation.service.ts';
export { ACCOUNT_LINK_PATH, endAccountLinks } from './account-links.ts';
export type { OpenAccountLink } from './account-links.ts';
export { sendInvitation } from './account-mails.ts';
export { forgotPassword } from './forgot-password.service.ts';
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
  endBrowserSessions,
  findBrowserSession,
  SESSION_SECONDS,
  startBrowserSession,
} from './browser-sessions.service.ts';
export type { BrowserSession, SessionUser } from './browser-sessions.service.ts';
