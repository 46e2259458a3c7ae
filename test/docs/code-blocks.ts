import { readFileSync } from 'node:fs';

export interface CodeBlock {
  language: string;
  code: string;
}

export interface CurlCall {
  method: string;
  /** Without the query. */
  path: string;
}

const ROOT = new URL('../../', import.meta.url);

/** The fenced blocks of a Markdown file of the repository. */
export function codeBlocks(file: string): CodeBlock[] {
  const markdown = readFileSync(new URL(file, ROOT), 'utf8');
  return [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code }));
}

/** The block of `language` that holds `text`; it must be one. */
export function codeBlock(file: string, language: string, text: string): string {
  const found = codeBlocks(file).filter((block) => block.language === language && block.code.includes(text));
  if (found.length !== 1) throw new Error(`${file} has ${String(found.length)} ${language} blocks with ${text}`);
  return found[0]!.code;
}

/** What the curl lines of a file call at `$API`. */
export function curlCalls(file: string): CurlCall[] {
  return codeBlocks(file)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split(/\bcurl /).slice(1))
    .flatMap((command) => {
      const path = /"\$API(\/[^"?]*)[^"]*"/.exec(command)?.[1];
      if (path === undefined) return [];
      const hasBody = /\s(-d|--data\S*)\s/.test(command);
      const method = /-X ([A-Z]+)/.exec(command)?.[1] ?? (hasBody ? 'POST' : 'GET');
      return [{ method: method.toLowerCase(), path }];
    });
}
