import { escapeHtml } from '../../platform/html.ts';

export interface NavigationGroup {
  name: string;
  links: readonly NavigationLink[];
}

export interface NavigationLink {
  path: string;
  title: string;
}

export interface PageParts {
  path: string;
  title: string;
  /** The content below the title. */
  html: string;
  contents?: readonly { id: string; text: string }[];
  /** What stands in the search field. */
  query?: string;
}

/** Frames every page: navigation, search, content. Works without scripts; CSS does the rest. */
export class Layout {
  readonly #groups: readonly NavigationGroup[];
  readonly #styleHref: string;

  constructor(groups: readonly NavigationGroup[], styleHref: string) {
    this.#groups = groups;
    this.#styleHref = styleHref;
  }

  page({ path, title, html, contents = [], query = '' }: PageParts): string {
    return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escapeHtml(title)} – Business Platform</title>
  <link rel="stylesheet" href="${this.#styleHref}">
  <link rel="icon" href="data:,">
</head>
<body>
  <a class="skip" href="#content">Skip to the content</a>
  <header>
    <a class="brand" href="/docs">Business Platform <span>Docs</span></a>
    <form role="search" action="/docs/search" method="get">
      <label class="hidden" for="q">Search the documentation</label>
      <input id="q" name="q" type="search" value="${escapeHtml(query)}" placeholder="Search" maxlength="100" autocomplete="off">
      <button>Search</button>
    </form>
  </header>
  <div class="frame">
    <details class="menu">
      <summary>All pages</summary>
      <nav aria-label="Documentation">
${this.#navigation(path)}
      </nav>
    </details>
    <main id="content" tabindex="-1">
      <article>
        <h1>${escapeHtml(title)}</h1>
${html}
      </article>
${this.#neighbours(path)}
    </main>
${tableOfContents(contents)}
  </div>
</body>
</html>
`;
  }

  #navigation(current: string): string {
    return this.#groups
      .map(({ name, links }) => {
        const items = links.map(({ path, title }) => {
          const mark = path === current ? ' aria-current="page"' : '';
          return `<li><a href="${path}"${mark}>${escapeHtml(title)}</a></li>`;
        });
        return `        <p>${escapeHtml(name)}</p>\n        <ul>${items.join('')}</ul>`;
      })
      .join('\n');
  }

  /** Links to the page before and after, for who reads from end to end. */
  #neighbours(current: string): string {
    const links = this.#groups.flatMap((group) => group.links);
    const position = links.findIndex(({ path }) => path === current);
    if (position === -1) return '';
    const before = links[position - 1];
    const after = links[position + 1];
    const back = before === undefined ? '' : `<a rel="prev" href="${before.path}">← ${escapeHtml(before.title)}</a>`;
    const on = after === undefined ? '' : `<a rel="next" href="${after.path}">${escapeHtml(after.title)} →</a>`;
    return `      <nav class="neighbours" aria-label="Previous and next page">${back}${on}</nav>`;
  }
}

function tableOfContents(contents: NonNullable<PageParts['contents']>): string {
  if (contents.length < 2) return '';
  const items = contents.map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`);
  return `    <nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`;
}
