import { hasRoute } from '../adapters/rest.ts';
import { operations } from '../registry.ts';
import type { Section } from './markdown.ts';

/** The reference page: Swagger UI over /openapi.json, below a line that leads back to the guides. */
export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>API reference – Business Platform</title>
  <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
  <link rel="stylesheet" href="/docs/style.css">
  <link rel="icon" href="data:,">
</head>
<body class="reference">
  <a class="skip" href="#reference">Skip to the content</a>
  <header>
    <a class="brand" href="/docs">Business Platform <span>Docs</span></a>
    <form role="search" action="/docs/search" method="get">
      <label class="hidden" for="q">Search the documentation</label>
      <input id="q" name="q" type="search" placeholder="Search" maxlength="100" autocomplete="off">
      <button>Search</button>
    </form>
  </header>
  <main id="reference" tabindex="-1"><noscript>
    <h1>API reference</h1>
    <p>The reference page needs JavaScript; the same content is at <a href="/openapi.json">/openapi.json</a>.</p>
  </noscript></main>
  <script src="/docs/assets/swagger-ui-bundle.js"></script>
  <script src="/docs/reference.js"></script>
</body>
</html>
`;

export const REFERENCE_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  persistAuthorization: false,
  presets: [SwaggerUIBundle.presets.apis],
});
`;

/** Swagger UI brings inline styles; its scripts are files of ours and of the package, so no inline script is allowed. */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** What the search knows of the reference: each operation with a path, under its deep link in Swagger UI. */
export function operationSections(): Section[] {
  return operations.filter(hasRoute).map(({ name, title, description, area, route }) => ({
    id: `/${encodeURIComponent(area)}/${name}`,
    heading: title,
    text: `${route.method.toUpperCase()} ${route.path} ${description}`,
  }));
}
