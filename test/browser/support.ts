import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const SCREENSHOTS = new URL('../../var/screenshots/', import.meta.url).pathname;

/** The browser of this machine; undefined where there is none. */
export const browserPath = [process.env['CHROMIUM_PATH'] ?? '', ...BROWSERS].find((path) => existsSync(path));
if (browserPath === undefined)
  process.stderr.write(`The browser tests are skipped: no Chromium at CHROMIUM_PATH nor ${BROWSERS.join(', ')}.\n`);

export function launchBrowser(): Promise<Browser> {
  // Root, as in containers, has no user namespace for Chromium's sandbox; the pages are our own.
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath: browserPath ?? '', args: isRoot ? ['--no-sandbox'] : [] });
}

/** Keeps a picture of the page and says where, for people to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const path = `${SCREENSHOTS}${name}.png`;
  await page.screenshot({ path, fullPage: true });
  process.stderr.write(`Screenshot: ${path}\n`);
}

/** The application's side of the flow: a listener on loopback that notes what the browser brings. */
export interface CallbackListener {
  url: string;
  calls: URLSearchParams[];
  close(): Promise<void>;
}

export async function startCallbackListener(): Promise<CallbackListener> {
  const calls: URLSearchParams[] = [];
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/callback') calls.push(url.searchParams);
    res.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Application</title><h1>Back again</h1>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/callback`,
    calls,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The little of the DOM that is used here; the project's code runs in Node and has no types of it. */
interface PageElement {
  id: string;
  name: string;
  autocomplete: string;
  tagName: string;
  textContent: string;
  labels: { length: number };
  parentElement: PageElement | null;
  childNodes: Iterable<{ nodeType: number; textContent: string }>;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { height: number };
}

interface PageGlobals {
  document: {
    activeElement: PageElement;
    documentElement: { scrollWidth: number; clientWidth: number };
    querySelectorAll(selector: string): Iterable<PageElement>;
    getElementById(id: string): PageElement | null;
  };
  getComputedStyle: (element: PageElement) => { color: string; backgroundColor: string; outlineStyle: string };
}

/** The control that has the focus, and whether one sees it. */
export function focusedControl(page: Page): Promise<{ name: string; outline: string }> {
  return page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as PageGlobals;
    const element = document.activeElement;
    return {
      name: element.getAttribute('name') ?? element.textContent.trim(),
      outline: getComputedStyle(element).outlineStyle,
    };
  });
}

/** What a look at the page's structure, targets and width finds wrong, in words. Runs in the page, with nothing from outside. */
export function structureProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as PageGlobals;
    const problems: string[] = [];
    const all = (selector: string): PageElement[] => [...document.querySelectorAll(selector)];
    for (const selector of ['main', 'h1', 'title', 'html[lang]']) {
      if (all(selector).length !== 1) problems.push(`${String(all(selector).length)} × ${selector}`);
    }
    const ids = all('[id]').map(({ id }) => id);
    if (new Set(ids).size !== ids.length) problems.push('an id is used twice');
    for (const input of all('input:not([type=hidden])')) {
      if (input.labels.length !== 1) problems.push(`${input.name} has no label`);
      if (input.autocomplete === '') problems.push(`${input.name} has no autocomplete`);
    }
    for (const marked of all('[aria-describedby], [aria-labelledby]')) {
      const id = marked.getAttribute('aria-describedby') ?? marked.getAttribute('aria-labelledby') ?? '';
      if (document.getElementById(id) === null) problems.push(`${id} is referred to and not there`);
    }
    for (const target of all('button, a, input:not([type=hidden])')) {
      if (target.getBoundingClientRect().height < 24) problems.push(`${target.textContent} is lower than 24 px`);
      if (target.tagName !== 'INPUT' && target.textContent.trim() === '') problems.push('a control has no name');
    }
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) problems.push(`the page is ${String(scrollWidth - clientWidth)} px too wide`);
    return problems;
  });
}

/** Texts whose contrast with what they stand on is below WCAG's 4.5. Runs in the page, with nothing from outside. */
export function contrastProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as PageGlobals;
    const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = ([red = 0, green = 0, blue = 0]: number[]): number => {
      const part = (value: number): number => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      };
      return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
    };
    const ground = (element: PageElement | null): number[] => {
      if (element === null) return [255, 255, 255];
      const color = channels(getComputedStyle(element).backgroundColor);
      return color[3] === 0 ? ground(element.parentElement) : color;
    };
    const hasText = ({ childNodes }: PageElement): boolean =>
      [...childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent.trim() !== '');
    return [...document.querySelectorAll('main *, header *')].filter(hasText).flatMap((element) => {
      const text = luminance(channels(getComputedStyle(element).color));
      const behind = luminance(ground(element));
      const contrast = (Math.max(text, behind) + 0.05) / (Math.min(text, behind) + 0.05);
      return contrast < 4.5 ? [`contrast ${contrast.toFixed(1)} of «${element.textContent.trim().slice(0, 40)}»`] : [];
    });
  });
}
