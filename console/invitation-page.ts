import { html } from '../platform/html.ts';
import { hiddenFields, layout } from './layout.ts';

export interface InvitationPage {
  kind: 'invitation' | 'password_reset';
  csrfToken: string;
  token: string;
  email: string;
  /** Characters that a password has at least, and at most. */
  length: { min: number; max: number };
  /** Why the last try was refused. */
  error: string | undefined;
}

/** Where the receiver of a link chooses a password. Opening it does nothing: mail programs open links by themselves. */
export function invitationPage({ kind, csrfToken, token, email, length, error }: InvitationPage): string {
  const title = kind === 'invitation' ? 'Welcome: choose a password' : 'Choose a new password';
  const marks = error === undefined ? undefined : html` aria-invalid="true" aria-describedby="error"`;
  const passwordField = (name: string, label: string, attributes = html``) =>
    html`<div class="field">
      <label for="${name}">${label}</label>
      <input
        id="${name}"
        name="${name}"
        type="password"
        autocomplete="new-password"
        minlength="${String(length.min)}"
        maxlength="${String(length.max)}"
        required${attributes}${marks}
      />
    </div>`;
  return layout(
    error === undefined ? title : `Error: ${title}`,
    html`<h1>${title}</h1>
      <p class="quiet">${String(length.min)} characters or more; a sentence is easy to keep.</p>
      ${error === undefined ? undefined : html`<p id="error" class="alert" role="alert">${error}</p>`}
      <form method="post" action="/invitation">
        ${hiddenFields({ csrf_token: csrfToken, token })}
        <div class="field">
          <label for="email">You sign in as</label>
          <input id="email" type="email" value="${email}" autocomplete="username" readonly />
        </div>
        ${passwordField('password', 'Password', html` autofocus`)} ${passwordField('repeated', 'The same again')}
        <button class="main">Set the password</button>
      </form>`,
  );
}

export function passwordSetPage(email: string): string {
  return layout(
    'Your password is set',
    html`<h1>Your password is set</h1>
      <p>You can sign in as <bdi>${email}</bdi> now. Whatever was signed in before with an older password has ended.</p>
      <p><a href="/login">Sign in</a></p>`,
  );
}

export function linkOverPage(): string {
  return layout(
    'This link is not valid any more',
    html`<h1>This link is not valid any more</h1>
      <p class="alert" role="alert">It was used already, another one took its place, or its time is over.</p>
      <p>
        If you have a password, <a href="/login">sign in</a>. If not, <a href="/forgot-password">ask for a new link</a>,
        or an administrator of your company for a new invitation.
      </p>`,
  );
}
