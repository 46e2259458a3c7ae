import type { Line } from '../../layout/lines.ts';
import { hasLegalForm, hasStrongLegalForm } from '../company.ts';
import { fold } from '../labels.ts';
import { type Run, runsOf, tailRun } from './columns.ts';
import { piecesOf } from './pieces.ts';

/** What a page says in passing about who wrote it. */
export interface Identity {
  /** Second-level names of web and mail addresses: "coolblue" of info@coolblue.nl. */
  domains: { name: string; line: Line }[];
  /** Names behind "payable to", "account holder", "for", ©: folded. */
  holders: { name: string; text: string; line: Line }[];
  /** Companies that the foot of the first page names. */
  feet: Run[];
}

const DOMAIN = /(?:@|www\.|https?:\/\/(?:www\.)?)([\w-]+(?:\.[\w-]+)*\.[a-z]{2,})/gi;
/** Mail providers and platforms that say nothing about the issuer. */
const COMMON_DOMAIN =
  /^(?:gmail|googlemail|hotmail|outlook|yahoo|icloud|live|gmx|web|t-online|aol|orange|wanadoo|free|example|mail|email|company|domain|telkomsa|mweb)$/;
const SECOND_LEVEL = /^(?:co|com|org|net|ac|gov|ltd|plc|edu)$/;
const HOLDER =
  /(?:(?:cheques?|checks?|payments?)\s*payable\s*to|please\s*make(?!\s*(?:all|your|cheque|check|payment|sure|the|a|any)\b)|account\s*(?:name|holder)|kontoinhaber|kontoname|titulaire(?:\s*du\s*compte)?|titular(?:\s*de\s*la\s*cuenta)?|intestatario(?:\s*conto)?|rekeninghouder|t\.?n\.?v\.?|beneficiary(?:\s*name)?|begunstigter|beneficiaire|for\s*and\s*on\s*behalf\s*of|(?:^|\s)for(?=\s[a-z]+\s+[^.]*(?:ltd|limited|gmbh|inc|llc|plc|pty))|©|\(c\)|copyright(?:\s*\d{4})?)\s*[:.]?\s*(?<name>[^:|]{3,60})/;

export function identityOf(lines: Line[], pageHeight: number): Identity {
  const identity: Identity = { domains: [], holders: [], feet: feetOf(lines, pageHeight) };
  for (const line of lines) {
    for (const match of line.text.matchAll(DOMAIN)) {
      const name = secondLevel(match[1]!.toLowerCase());
      if (name.length >= 3 && !COMMON_DOMAIN.test(name)) identity.domains.push({ name, line });
    }
    const match = HOLDER.exec(fold(line.text));
    const holder = match?.groups?.['name'];
    if (match && holder !== undefined && /[a-z]{3}/.test(holder)) {
      const at = match.index + match[0].length - holder.length;
      identity.holders.push({ name: plain(holder), text: line.text.slice(at, at + holder.length).trim(), line });
    }
  }
  return identity;
}

/** The foot of a page begins there, in parts of its height. */
const FOOT = 0.8;
/** Whose program printed the page, and whose bank it is. */
const NOT_THE_ISSUER =
  /\b(?:powered|created|printed|erstellt|software|generated|propulse|programa?|bank|sparkasse|banque|banco|banca|insured|factoring)\b/;

/** "Acme Ltd. Registered in England 01234567", or the name alone over the address at the foot. */
function feetOf(lines: Line[], pageHeight: number): Run[] {
  const foot = lines.filter((line) => line.page === lines[0]?.page && line.bbox.y > pageHeight * FOOT);
  return runsOf(foot)
    .flatMap(piecesOf)
    .flatMap((run) => {
      const count = run.words.findIndex((_, index) => isWholeName(run, index + 1)) + 1;
      if (count === 0 || NOT_THE_ISSUER.test(fold(run.text))) return [];
      const words = run.words.slice(0, count);
      return [tailRun(run, words, nameOf(words))];
    });
}

const nameOf = (words: Run['words']): string =>
  words
    .map((word) => word.text)
    .join(' ')
    .replace(/[,;]$/, '')
    .replace(/(?<=\p{L}{3})\.$/u, '');

/** It ends with its legal form: "Acme", "Acme GmbH" and not "Acme GmbH &", which goes on. */
function isWholeName(run: Run, count: number): boolean {
  const next = run.words[count]?.text;
  if (count < 2 || count > 7 || (next !== undefined && (next === '&' || hasLegalForm(` ${next}`)))) return false;
  const name = nameOf(run.words.slice(0, count));
  return /^\p{Lu}/u.test(name) && !/[:@]|\d{3}/.test(name) && hasStrongLegalForm(name);
}

function secondLevel(host: string): string {
  const parts = host.split('.');
  parts.pop();
  if (parts.length > 1 && SECOND_LEVEL.test(parts.at(-1)!)) parts.pop();
  return parts.at(-1) ?? '';
}

const LEGAL_WORDS =
  /\b(?:gmbh|ltd|limited|inc|llc|plc|ag|kg|bv|b\.v|sarl|sas|srl|spa|pty|co|corp|company|the|und|and|et)\b\.?/g;

/** Letters and digits of a name without its legal form. */
export const plain = (text: string): string =>
  fold(text)
    .replace(LEGAL_WORDS, ' ')
    .replace(/[^a-z0-9]+/g, '');

/** 1 where the page's own addresses or its bank account carry the name, less where they share a word of it. */
export function identityScore(name: string, identity: Identity, isForeign: (line: Line) => boolean): number {
  const own = plain(name);
  if (own.length < 3) return 0;
  let best = 0;
  for (const { name: domain, line } of identity.domains) {
    if (isForeign(line)) continue;
    const letters = domain.replace(/[^a-z0-9]/g, '');
    if (letters === own) best = Math.max(best, 1);
    else if (own.length >= 5 && (letters.startsWith(own) || own.startsWith(letters)) && letters.length >= 4)
      best = Math.max(best, 0.85);
    else if (sharesWord(name, domain)) best = Math.max(best, 0.55);
  }
  for (const { name: holder, line } of identity.holders) {
    if (isForeign(line)) continue;
    if (holder === own) best = Math.max(best, 1);
    else if (own.length >= 5 && holder.startsWith(own)) best = Math.max(best, 0.8);
  }
  for (const run of identity.feet) {
    const foot = plain(run.text);
    if (!isForeign(run.line) && (foot === own || (own.length >= 5 && foot.startsWith(own)))) best = Math.max(best, 0.8);
  }
  return best;
}

const sharesWord = (name: string, domain: string): boolean =>
  fold(name)
    .split(/[^a-z0-9]+/)
    .some((word) => word.length >= 5 && !hasLegalForm(word) && domain.includes(word));
