import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import anchor from 'markdown-it-anchor';

/** What stands under one heading, as the search knows it. */
export interface Section {
  /** The anchor of its heading; undefined for what stands above the first one. */
  id: string | undefined;
  heading: string;
  text: string;
}

export interface RenderedMarkdown {
  title: string;
  /** The page below its title. */
  html: string;
  /** Its second-level headings. */
  contents: { id: string; text: string }[];
  sections: Section[];
}

/** Where a link of the Markdown leads on the site. */
export type LinkTarget = (href: string) => string;

// The sources are ours, but raw HTML stays off: what stands in a page is Markdown and nothing else.
const markdown = new MarkdownIt({ html: false }).use(anchor, {
  level: [2, 3],
  slugify,
  tabIndex: false,
  permalink: anchor.permalink.headerLink({ safariReaderFix: true }),
});

const { rules } = markdown.renderer;
// A wide table or a long line scrolls within itself; the tab stop lets a keyboard scroll it too.
rules.table_open = () => '<div class="scroll" role="region" aria-label="Table" tabindex="0"><table>\n';
rules.table_close = () => '</table></div>\n';
const fence = rules.fence;
rules.fence = (...args) => (fence?.(...args) ?? '').replace('<pre>', '<pre tabindex="0">');

/** Renders one page; its title is the first first-level heading. */
export function renderMarkdown(source: string, linkTarget: LinkTarget): RenderedMarkdown {
  const environment = {};
  const tokens = markdown.parse(source, environment);
  for (const link of tokens.flatMap((token) => token.children ?? []).filter(({ type }) => type === 'link_open')) {
    link.attrSet('href', linkTarget(String(link.attrGet('href'))));
  }
  const [opening, inline, closing, ...body] = tokens;
  if (opening?.tag !== 'h1' || inline === undefined || closing === undefined) {
    throw new Error('a page begins with its title, a first-level heading');
  }
  const sections = sectionsOf(body);
  return {
    title: plainText(inline),
    html: markdown.renderer.render(body, markdown.options, environment),
    contents: body.flatMap((token, index) => {
      const id = token.tag === 'h2' ? anchorOf(token) : undefined;
      return id === undefined ? [] : [{ id, text: plainText(body[index + 1]) }];
    }),
    sections,
  };
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: Section[] = [{ id: undefined, heading: '', text: '' }];
  for (const [index, token] of tokens.entries()) {
    const section = sections.at(-1);
    if (section === undefined) break;
    const id = anchorOf(token);
    const afterHeading = tokens[index - 1]?.type === 'heading_open';
    if (id !== undefined) sections.push({ id, heading: plainText(tokens[index + 1]), text: '' });
    else if (token.type === 'inline' && !afterHeading) section.text += `${plainText(token)} `;
    else if (token.type === 'fence') section.text += `${token.content} `;
  }
  return sections.filter(({ heading, text }) => heading !== '' || text !== '');
}

function anchorOf(token: Token): string | undefined {
  const id = token.type === 'heading_open' ? token.attrGet('id') : null;
  return id === null ? undefined : String(id);
}

function plainText(token: Token | undefined): string {
  return (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('');
}

/** As GitHub makes the anchors of headings, so that a link works there and here. */
function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
