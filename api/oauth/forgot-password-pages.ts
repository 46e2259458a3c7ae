import type { Request, Response } from 'express';
import { Router } from 'express';
import { forgotPasswordPage, linkMailedPage } from '../../console/forgot-password-page.ts';
import { forgotPassword } from '../../domain/auth/index.ts';
import { ForgotPassword } from '../../domain/contracts/auth.ts';
import { RESET_MINUTES } from '../../domain/contracts/users.ts';
import { addressOf } from '../http/request-context.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { readVisitorForm, sendPage } from './pages.ts';
import type { PageParts } from './session-pages.ts';

export const FORGOT_PASSWORD_PATH = '/forgot-password';

/** Where somebody who has lost the password asks for a link. Its answer tells nobody who is a user. */
export function forgotPasswordRouter(parts: PageParts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(FORGOT_PASSWORD_PATH, (req, res) => {
    const { csrfToken } = parts.cookies.welcome(req, res);
    sendPage(res, forgotPasswordPage({ csrfToken, email: '', error: undefined }));
  });
  router.post(FORGOT_PASSWORD_PATH, (req, res) => mailLink(parts, req, res));
  router.all(FORGOT_PASSWORD_PATH, methodNotAllowed(FORGOT_PASSWORD_PATH, 'GET, HEAD, POST, OPTIONS'));
  return router;
}

async function mailLink({ services, cookies }: PageParts, req: Request, res: Response): Promise<void> {
  const { fields, visitor } = await readVisitorForm(cookies, req, res);
  const email = (fields.get('email') ?? '').trim();
  if (!ForgotPassword.safeParse({ email }).success) {
    const page = { csrfToken: visitor.csrfToken, email, error: 'Enter your e-mail address.' };
    sendPage(res, forgotPasswordPage(page), { status: 422 });
    return;
  }
  await forgotPassword({ ...services, now: services.clock.now() }, { email, address: addressOf(req) });
  sendPage(res, linkMailedPage(email, RESET_MINUTES));
}
