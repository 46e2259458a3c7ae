import type { Request, Response } from 'express';
import { Router } from 'express';
import { invitationPage, linkOverPage, passwordSetPage } from '../../console/invitation-page.ts';
import { ACCOUNT_LINK_PATH, acceptInvitation, forgetPresented, presentAccountLink } from '../../domain/auth/index.ts';
import type { OpenAccountLink } from '../../domain/auth/index.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from '../../domain/contracts/auth.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import { userChanged } from '../access-changed.ts';
import { addressOf } from '../http/request-context.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { readVisitorForm, sendPage } from './pages.ts';
import type { PageParts } from './session-pages.ts';

export const INVITATION_PATH = ACCOUNT_LINK_PATH;

/** Where the receiver of an invitation, or of a link for a lost password, chooses a password. It signs nobody in. */
export function invitationRouter(parts: PageParts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(INVITATION_PATH, (req, res) => showInvitation(parts, req, res));
  router.post(INVITATION_PATH, (req, res) => setPassword(parts, req, res));
  router.all(INVITATION_PATH, methodNotAllowed(INVITATION_PATH, 'GET, HEAD, POST, OPTIONS'));
  return router;
}

async function showInvitation(parts: PageParts, req: Request, res: Response): Promise<void> {
  const token = typeof req.query['token'] === 'string' ? req.query['token'] : '';
  const link = await openLink(parts, req, token);
  if (link === undefined) {
    sendPage(res, linkOverPage(), { status: 422 });
    return;
  }
  const { csrfToken } = parts.cookies.welcome(req, res);
  sendForm(res, { link, token, csrfToken });
}

/** The link of a token, which opening the page leaves as it is; undefined for one that is over. */
async function openLink(
  { services: { system, clock } }: PageParts,
  req: Request,
  token: string,
): Promise<OpenAccountLink | undefined> {
  try {
    const presented = await presentAccountLink(system, { token, address: addressOf(req), now: clock.now() });
    await forgetPresented(system, presented);
    return presented.link;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return undefined;
    throw error;
  }
}

function sendForm(
  res: Response,
  { link, token, csrfToken, error }: { link: OpenAccountLink; token: string; csrfToken: string; error?: string },
): void {
  const length = { min: MIN_PASSWORD, max: MAX_PASSWORD };
  const { kind, email } = link;
  const page = invitationPage({ kind, email, token, csrfToken, length, error });
  sendPage(res, page, { status: error === undefined ? 200 : 422 });
}

async function setPassword(parts: PageParts, req: Request, res: Response): Promise<void> {
  const { services, cookies } = parts;
  const { fields, visitor } = await readVisitorForm(cookies, req, res);
  const token = fields.get('token') ?? '';
  const password = fields.get('password') ?? '';
  const error = passwordProblem(password, fields.get('repeated'));
  if (error !== undefined) {
    const link = await openLink(parts, req, token);
    if (link === undefined) sendPage(res, linkOverPage(), { status: 422 });
    else sendForm(res, { link, token, csrfToken: visitor.csrfToken, error });
    return;
  }
  try {
    const now = services.clock.now();
    const { userId, email } = await acceptInvitation(services.system, {
      token,
      password,
      address: addressOf(req),
      now,
    });
    await userChanged(services, userId);
    // Whoever was signed in here, the page leads to a sign-in with the new password.
    cookies.clearSession(res);
    sendPage(res, passwordSetPage(email));
  } catch (refusal) {
    if (!(refusal instanceof ApiError) || refusal.code !== 'UNAUTHORIZED') throw refusal;
    sendPage(res, linkOverPage(), { status: 422 });
  }
}

/** What the field's own limits would have said in a browser. */
function passwordProblem(password: string, repeated: string | undefined): string | undefined {
  if (password.length < MIN_PASSWORD) return `A password has ${String(MIN_PASSWORD)} characters or more.`;
  if (password.length > MAX_PASSWORD) return `A password has ${String(MAX_PASSWORD)} characters at most.`;
  return repeated === undefined || repeated === password ? undefined : 'The two passwords are not the same.';
}
