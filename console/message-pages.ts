import { html } from '../platform/html.ts';
import type { Html } from '../platform/html.ts';
import { hiddenFields, layout } from './layout.ts';

export interface ErrorPage {
  title: string;
  message: string;
  requestId: string;
  /** Lets a signed-in user go on as somebody else. */
  otherAccount?: { csrfToken: string; request: string };
}

export function errorPage({ title, message, requestId, otherAccount }: ErrorPage): string {
  return layout(
    title,
    html`<h1>${title}</h1>
      <p class="alert" role="alert">${message}</p>
      ${
        otherAccount === undefined
          ? undefined
          : logoutForm('Use another account', { csrf_token: otherAccount.csrfToken, request: otherAccount.request })
      }
      <p>
        Go back to where you came from and try again. If it happens again, give this number to whoever runs the
        application:
      </p>
      <p class="small"><code>${requestId}</code></p>`,
  );
}

export function signedInPage(user: { name: string; email: string }, csrfToken: string): string {
  return layout(
    'You are signed in',
    html`<h1>You are signed in</h1>
      <p>
        as <strong><bdi>${user.name}</bdi></strong> (<bdi>${user.email}</bdi>)
      </p>
      ${logoutForm('Sign out', { csrf_token: csrfToken })}`,
  );
}

export function logoutPage(user: { name: string; email: string }, csrfToken: string): string {
  return layout(
    'Sign out?',
    html`<h1>Sign out?</h1>
      <p>
        You are signed in as <strong><bdi>${user.name}</bdi></strong> (<bdi>${user.email}</bdi>).
      </p>
      ${logoutForm('Sign out', { csrf_token: csrfToken })}`,
  );
}

export function signedOutPage(): string {
  return layout(
    'You are signed out',
    html`<h1>You are signed out</h1>
      <p><a href="/login">Sign in again</a></p>`,
  );
}

function logoutForm(label: string, fields: Readonly<Record<string, string>>): Html {
  return html`<form method="post" action="/logout">
    ${hiddenFields(fields)}
    <button class="main">${label}</button>
  </form>`;
}
