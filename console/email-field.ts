import { html } from '../platform/html.ts';
import type { Html } from '../platform/html.ts';

interface EmailField {
  /** What stands in the field. */
  email: string;
  /** Whether a person begins here. */
  hasFocus: boolean;
  /** What ties it to the message of a refusal. */
  marks: Html | undefined;
}

/** The address by which somebody is known to us, as a password manager fills it in. */
export function emailField({ email, hasFocus, marks }: EmailField): Html {
  const focus = html` autofocus`;
  return html`<div class="field">
    <label for="email">E-mail address</label>
    <input
      id="email"
      name="email"
      type="email"
      value="${email}"
      autocomplete="username"
      autocapitalize="none"
      spellcheck="false"
      maxlength="254"
      required${hasFocus ? focus : undefined}${marks}
    />
  </div>`;
}
