import { html } from '../platform/html.ts';
import { hiddenFields, layout } from './layout.ts';

export interface ConsentPage {
  applicationName: string;
  /** What is asked for, in words. */
  permissions: readonly { scope: string; words: string }[];
  /** Where the answer goes, as people read it. */
  destination: string;
  user: { name: string; email: string };
  csrfToken: string;
  request: string;
}

/** Asks the signed-in user whether the application may act for them. No picture of the application's: it would tell its server who looks. */
export function consentPage(page: ConsentPage): string {
  const { applicationName, permissions, user } = page;
  const items = permissions.map(({ scope, words }) => html`<li>${words} <code>${scope}</code></li>`);
  return layout(
    `Allow ${applicationName}?`,
    html`<p class="monogram" aria-hidden="true">${firstLetter(applicationName)}</p>
      <h1>Allow <bdi>${applicationName}</bdi> to use your account?</h1>
      <p class="quiet">
        Signed in as <strong><bdi>${user.name}</bdi></strong> (<bdi>${user.email}</bdi>)
      </p>
      <h2 id="permissions">It will be able to</h2>
      <ul class="permissions" aria-labelledby="permissions">
        ${items}
      </ul>
      <p class="quiet note">
        Either way you go back to <strong>${page.destination}</strong>. Allow only an application that you know and
        trust.
      </p>
      <form method="post" action="/api/v1/oauth/authorize">
        ${hiddenFields({ csrf_token: page.csrfToken, request: page.request })}
        <div class="buttons">
          <button class="main" name="decision" value="approve">Allow</button>
          <button name="decision" value="deny">Deny</button>
        </div>
      </form>
      <form class="aside" method="post" action="/logout">
        ${hiddenFields({ csrf_token: page.csrfToken, request: page.request })}
        <p class="quiet">Not you? <button class="link">Use another account</button></p>
      </form>`,
  );
}

function firstLetter(name: string): string {
  for (const { segment } of new Intl.Segmenter('en').segment(name.trim())) return segment.toUpperCase();
  return '?';
}
