import { html } from '../platform/html.ts';
import type { Html } from '../platform/html.ts';
import { emailField } from './email-field.ts';
import { hiddenFields, layout } from './layout.ts';

export interface LoginPage {
  csrfToken: string;
  /** Handle of the authorization request to go on with, and the application that makes it. */
  request: string | undefined;
  applicationName: string | undefined;
  /** What stands in the e-mail field. */
  email: string;
  /** Why the last try was refused. */
  error: string | undefined;
}

export function loginPage(page: LoginPage): string {
  const { error, email } = page;
  const marks = error === undefined ? undefined : html` aria-invalid="true" aria-describedby="error"`;
  const focus = html` autofocus`;
  const hasEmail = email !== '' && error === undefined;
  return layout(
    error === undefined ? 'Sign in' : 'Error: Sign in',
    html`<h1>Sign in</h1>
      ${purpose(page.applicationName)} ${alert(error)}
      <form method="post" action="/login">
        ${hiddenFields({ csrf_token: page.csrfToken, request: page.request })}
        ${emailField({ email, hasFocus: !hasEmail, marks })}
        <div class="field">
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            maxlength="1024"
            required${hasEmail ? focus : undefined}${marks}
          />
        </div>
        <button class="main">Sign in</button>
      </form>
      <p class="note"><a href="/forgot-password">Lost your password?</a></p>`,
  );
}

function purpose(applicationName: string | undefined): Html {
  if (applicationName === undefined) return html`<p class="quiet">with your Business Platform account</p>`;
  return html`<p class="quiet">
    to continue to <strong><bdi>${applicationName}</bdi></strong>
  </p>`;
}

function alert(error: string | undefined): Html | undefined {
  return error === undefined ? undefined : html`<p id="error" class="alert" role="alert">${error}</p>`;
}
