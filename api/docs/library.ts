import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { actionsMarkdown } from './actions-page.ts';
import { errorIndexMarkdown, errorPages } from './error-pages.ts';
import { Layout } from './layout.ts';
import type { NavigationGroup } from './layout.ts';
import { renderMarkdown } from './markdown.ts';
import type { RenderedMarkdown } from './markdown.ts';
import { HOME, PAGE_GROUPS, REFERENCE_LINKS } from './pages.ts';
import { operationSections } from './reference.ts';
import { DocsSearch } from './search.ts';

/** Stands in the Markdown for the address at which this API is reached. */
const BASE_URL_PLACEHOLDER = /\{base_url\}/g;
const ROOT = new URL('../../', import.meta.url);
const SOURCES = PAGE_GROUPS.flatMap(({ pages }) => pages);
const PATH_OF_FILE = new Map(SOURCES.map(({ file, path }) => [file, path]));
const MISSING = `        <p>There is no page at this address. It may have moved: look for it in the search above, or begin at
        <a href="${HOME}">the first page</a>. Machines find their way by <a href="/openapi.json">/openapi.json</a>.</p>`;

interface StoredPage {
  html: string;
  etag: string;
}

/** All pages of the documentation, rendered once, and the search over them. */
export class DocsLibrary {
  readonly style: StoredPage;
  /** Part of the style sheet's address, so that browsers may keep what they got there. */
  readonly styleVersion: string;
  readonly #pages = new Map<string, StoredPage>();
  readonly #search = new DocsSearch();
  readonly #layout: Layout;

  constructor(publicUrl: string, now: number) {
    const rendered = renderAll(publicUrl, now);
    this.style = stored(readFileSync(new URL('style.css', import.meta.url), 'utf8'));
    this.styleVersion = this.style.etag.slice(1, 9);
    this.#layout = new Layout(navigation(rendered), `/docs/style.css?v=${this.styleVersion}`);
    for (const [path, page] of rendered) {
      this.#pages.set(path, stored(this.#layout.page({ path, ...page })));
      // Below its first lines a code's page repeats what all of them say.
      this.#search.add(path, page.title, path.startsWith('/docs/errors/') ? page.sections.slice(0, 1) : page.sections);
    }
    this.#search.add('/docs/reference', 'API reference', operationSections());
  }

  page(path: string): StoredPage | undefined {
    return this.#pages.get(path);
  }

  searchPage(query: string): string {
    const html = this.#search.resultsHtml(query);
    return this.#layout.page({ path: '/docs/search', title: 'Search', html, query: query.slice(0, 100) });
  }

  /** For who followed a wrong link: the search field already holds the words of its last part. */
  missingPage(path: string): string {
    const words = (path.split('/').at(-1) ?? '').replace(/\W+/g, ' ').trim();
    return this.#layout.page({ path, title: 'Page not found', html: MISSING, query: words.slice(0, 100) });
  }
}

const libraries = new Map<string, DocsLibrary>();

/** The library of an API that is reached at `publicUrl`; made at the first call, which takes a good part of a second. */
export function docsLibrary(publicUrl: string): DocsLibrary {
  const known = libraries.get(publicUrl);
  if (known !== undefined) return known;
  const made = new DocsLibrary(publicUrl, Date.now());
  libraries.set(publicUrl, made);
  return made;
}

function renderAll(publicUrl: string, now: number): Map<string, RenderedMarkdown> {
  const fromCode = [
    { path: '/docs/actions', markdown: actionsMarkdown(now) },
    { path: '/docs/errors', markdown: errorIndexMarkdown() },
    ...errorPages(publicUrl),
  ].map(({ path, markdown }) => [path, renderMarkdown(markdown, (href) => href)] as const);
  const fromFiles = SOURCES.map(({ path, file }) => {
    const markdown = readFileSync(new URL(file, ROOT), 'utf8').replace(BASE_URL_PLACEHOLDER, publicUrl);
    return [path, renderMarkdown(markdown, (href) => siteLink(href, file))] as const;
  });
  return new Map([...fromFiles, ...fromCode]);
}

/** A link from one Markdown file to another, which works in the repository, as a link between their pages. */
function siteLink(href: string, file: string): string {
  if (/^(\/|#|[a-z]+:)/.test(href)) return href;
  const [target = '', fragment] = href.split('#');
  const path = PATH_OF_FILE.get(posix.join(posix.dirname(file), target));
  if (path === undefined) throw new Error(`${file} links to ${href}, which is not a page`);
  return fragment === undefined ? path : `${path}#${fragment}`;
}

function navigation(rendered: ReadonlyMap<string, RenderedMarkdown>): NavigationGroup[] {
  const groups = PAGE_GROUPS.map(({ name, pages }) => ({
    name,
    links: pages.map(({ path }) => ({ path, title: rendered.get(path)?.title ?? path })),
  }));
  return groups.toSpliced(-1, 0, { name: 'Reference', links: [...REFERENCE_LINKS] });
}

function stored(html: string): StoredPage {
  return { html, etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"` };
}
