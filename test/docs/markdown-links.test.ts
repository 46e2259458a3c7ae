import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PAGE_GROUPS } from '../../api/docs/pages.ts';
import { renderMarkdown } from '../../api/docs/markdown.ts';
import { anchorsOf } from './html.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FILES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** The links of a Markdown file, found by the renderer itself, so that those in code are none. */
function linksIn(file: string): string[] {
  const links: string[] = [];
  renderMarkdown(readFileSync(join(ROOT, file), 'utf8'), (href) => {
    links.push(href);
    return href;
  });
  return links;
}

function anchorsIn(file: string): Set<string> {
  return anchorsOf(renderMarkdown(readFileSync(join(ROOT, file), 'utf8'), (href) => href).html);
}

describe('Markdown in the repository', () => {
  it.each(FILES)('%s links to files and headings that exist', (file) => {
    const broken = linksIn(file).filter((href) => {
      if (/^([a-z]+:|\/)/.test(href)) return false;
      const [target = '', anchor] = href.split('#');
      const path = target === '' ? file : relative(ROOT, join(ROOT, dirname(file), target));
      if (!existsSync(join(ROOT, path))) return true;
      return anchor !== undefined && path.endsWith('.md') && !anchorsIn(path).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('every guide is a page', () => {
    const served = new Set(PAGE_GROUPS.flatMap(({ pages }) => pages.map(({ file }) => file)));
    for (const file of FILES.filter((name) => name.startsWith('docs/guides/'))) expect(served).toContain(file);
  });
});
