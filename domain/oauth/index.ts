export { findApplication } from './application.ts';
export type { OAuthApplication } from './application.ts';
export { effectiveScopes, IDENTITY_SCOPES } from './scope.rules.ts';
export { issueCode } from './codes.ts';
export type { CodeGrant } from './codes.ts';
export { recordDenial } from './decisions.ts';
export type { Decision } from './decisions.ts';
export {
  answerUri,
  AuthorizationRefusal,
  checkRequest,
  isRegisteredRedirect,
  needsNewLogin,
  RequestParameters,
  stateOf,
} from './authorization-requests.rules.ts';
export type { AuthorizationParameters } from './authorization-requests.rules.ts';
export { AuthorizationRequests } from './authorization-requests.service.ts';
export type { AuthorizationRequest } from './authorization-requests.service.ts';
export { authenticateApplication } from './application-auth.ts';
export type { ApplicationCredentials } from './application-auth.ts';
export { OAUTH_CHANGED } from './changed.ts';
export type { OAuthChange } from './changed.ts';
export { introspectToken } from './introspection.ts';
export type { GrantDeps } from './issue-tokens.ts';
export { createKnownApplications } from './known-applications.ts';
export type { KnownApplications } from './known-applications.ts';
export { OAuthError } from './oauth-error.ts';
export type { OAuthErrorCode } from './oauth-error.ts';
export { revokeToken } from './revocation.ts';
export { createTokenCheck } from './token-check.ts';
export { grantTokens } from './token-endpoint.ts';
export { userInfo } from './userinfo.ts';
export {
  APPLICATION_VAULT_CONTEXT,
  createApplication,
  deleteApplication,
  getApplication,
  listApplications,
  rotateSecret,
  updateApplication,
} from './applications.service.ts';
