import MiniSearch from 'minisearch';
import { escapeHtml } from '../../platform/html.ts';
import type { Section } from './markdown.ts';

const MAX_QUERY = 100;
const MAX_HITS = 20;
const SNIPPET = 180;

/** One section of one page, as it is searched. */
interface Entry {
  id: string;
  page: string;
  heading: string;
  text: string;
}

/** A search over the sections of all pages, done on the server, so that it needs no script in the browser. */
export class DocsSearch {
  readonly #index = new MiniSearch<Entry>({
    fields: ['page', 'heading', 'text'],
    storeFields: ['page', 'heading', 'text'],
    // Names such as `work_items:read`, `X-API-Key` and `list-work-items` are found whole and by their parts.
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''),
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: (term) => term.length > 1, fuzzy: fuzziness },
  });

  add(path: string, title: string, sections: readonly Section[]): void {
    this.#index.addAll(
      sections.map(({ id, heading, text }) => ({
        id: id === undefined ? path : `${path}#${id}`,
        page: title,
        heading: heading === '' ? title : heading,
        text,
      })),
    );
  }

  /** The results as HTML. All words first; where nothing holds them all, any of them. */
  resultsHtml(asked: string): string {
    const query = asked.slice(0, MAX_QUERY).trim();
    if (query === '') return '<p>Type a word, an error code or the name of a header into the field above.</p>';
    const all = this.#index.search(query, { combineWith: 'AND' });
    const found = all.length > 0 ? all : this.#index.search(query, { combineWith: 'OR' });
    if (found.length === 0) return `<p>Nothing was found for “${escapeHtml(query)}”.</p>`;
    const hits = found.slice(0, MAX_HITS).map((hit) => {
      const { page, heading, text } = hit as unknown as Entry;
      const name = heading === page ? page : `${page} › ${heading}`;
      return `<li><a href="${escapeHtml(String(hit.id))}">${escapeHtml(name)}</a><p>${snippetHtml(text, hit.terms)}</p></li>`;
    });
    const count = `${String(found.length)} ${found.length === 1 ? 'result' : 'results'} for “${escapeHtml(query)}”`;
    return `<p>${count}${found.length > MAX_HITS ? `, the first ${String(MAX_HITS)} below` : ''}.</p>\n<ol class="hits">${hits.join('\n')}</ol>`;
  }
}

/** One letter in five may be wrong, but codes and short words must match: 409 is not 404. */
function fuzziness(term: string): number | false {
  return term.length < 5 || /\d/.test(term) ? false : 0.2;
}

/** The text around the first match, matches marked. Cut first and escaped piece by piece, so that no entity is cut. */
function snippetHtml(text: string, terms: readonly string[]): string {
  const words = terms.map((term) => term.replace(/[^\p{L}\p{N}]/gu, '')).filter((term) => term !== '');
  const flat = text.replace(/\s+/g, ' ').trim();
  if (words.length === 0) return escapeHtml(flat.slice(0, SNIPPET));
  const pattern = new RegExp(`(${words.join('|')})`, 'giu');
  const first = Math.max(0, flat.search(pattern));
  const from = first <= SNIPPET / 3 ? 0 : flat.lastIndexOf(' ', first - SNIPPET / 3) + 1;
  const cut = flat.slice(from, from + SNIPPET);
  const marked = cut
    .split(pattern)
    .map((piece, index) => (index % 2 === 1 ? `<mark>${escapeHtml(piece)}</mark>` : escapeHtml(piece)))
    .join('');
  return `${from > 0 ? '… ' : ''}${marked}${from + SNIPPET < flat.length ? ' …' : ''}`;
}
