import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html } from '../platform/html.ts';
import type { Html } from '../platform/html.ts';

/** The one style sheet of the pages; its version is part of its address, so that browsers may keep it. */
export const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8');
export const STYLE_PATH = '/console/style.css';
export const STYLE_VERSION = createHash('sha256').update(STYLE).digest('base64url').slice(0, 8);

/** Frames a page: one card with a title. No script, nothing inline, nothing from elsewhere. */
export function layout(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} – Business Platform</title>
        <link rel="stylesheet" href="${STYLE_PATH}?v=${STYLE_VERSION}" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <header><p class="brand">Business Platform</p></header>
        <main>${content}</main>
      </body>
    </html> `.toString();
}

/** What a form sends besides what is typed. */
export function hiddenFields(fields: Readonly<Record<string, string | undefined>>): Html[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`],
  );
}
