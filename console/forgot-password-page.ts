import { html } from '../platform/html.ts';
import { emailField } from './email-field.ts';
import { hiddenFields, layout } from './layout.ts';

export interface ForgotPasswordPage {
  csrfToken: string;
  /** What stands in the field. */
  email: string;
  /** Why the last try was refused. */
  error: string | undefined;
}

export function forgotPasswordPage({ csrfToken, email, error }: ForgotPasswordPage): string {
  const marks = error === undefined ? undefined : html` aria-invalid="true" aria-describedby="error"`;
  return layout(
    error === undefined ? 'Lost your password?' : 'Error: Lost your password?',
    html`<h1>Lost your password?</h1>
      <p class="quiet">We mail you a link by which you choose another.</p>
      ${error === undefined ? undefined : html`<p id="error" class="alert" role="alert">${error}</p>`}
      <form method="post" action="/forgot-password">
        ${hiddenFields({ csrf_token: csrfToken })} ${emailField({ email, hasFocus: true, marks })}
        <button class="main">Mail me a link</button>
      </form>
      <p class="note"><a href="/login">Back to the sign-in</a></p>`,
  );
}

/** The same, whether or not there is such a user. */
export function linkMailedPage(email: string, minutes: number): string {
  return layout(
    'Look into your mail',
    html`<h1>Look into your mail</h1>
      <p>
        If <bdi>${email}</bdi> signs in here, a link is on its way. It works for ${String(minutes)} minutes. Nothing
        after a while? Ask an administrator of your company for a new invitation.
      </p>
      <p><a href="/login">Back to the sign-in</a></p>`,
  );
}
