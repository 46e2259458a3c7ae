import type { Line } from '../../layout/lines.ts';
import { hasLegalForm } from '../company.ts';
import { fold } from '../labels.ts';

/** What a page says in passing about who wrote it. */
export interface Identity {
  /** Second-level names of web and mail addresses: "coolblue" of info@coolblue.nl. */
  domains: { name: string; line: Line }[];
  /** Names behind "payable to", "account holder", "for", ©: folded. */
  holders: { name: string; text: string; line: Line }[];
}

const DOMAIN = /(?:@|www\.|https?:\/\/(?:www\.)?)([\w-]+(?:\.[\w-]+)*\.[a-z]{2,})/gi;
/** Mail providers and platforms that say nothing about the issuer. */
const COMMON_DOMAIN =
  /^(?:gmail|googlemail|hotmail|outlook|yahoo|icloud|live|gmx|web|t-online|aol|orange|wanadoo|free|example|mail|email|company|domain|telkomsa|mweb)$/;
const SECOND_LEVEL = /^(?:co|com|org|net|ac|gov|ltd|plc|edu)$/;
const HOLDER =
  /(?:(?:cheques?|checks?|payments?)\s*payable\s*to|please\s*make(?!\s*(?:all|your|cheque|check|payment|sure|the|a|any)\b)|account\s*(?:name|holder)|kontoinhaber|kontoname|titulaire(?:\s*du\s*compte)?|titular(?:\s*de\s*la\s*cuenta)?|intestatario(?:\s*conto)?|rekeninghouder|t\.?n\.?v\.?|beneficiary(?:\s*name)?|begunstigter|beneficiaire|for\s*and\s*on\s*behalf\s*of|(?:^|\s)for(?=\s[a-z]+\s+[^.]*(?:ltd|limited|gmbh|inc|llc|plc|pty))|©|\(c\)|copyright(?:\s*\d{4})?)\s*[:.]?\s*(?<name>[^:|]{3,60})/;

export function identityOf(lines: Line[]): Identity {
  const identity: Identity = { domains: [], holders: [] };
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
  return best;
}

const sharesWord = (name: string, domain: string): boolean =>
  fold(name)
    .split(/[^a-z0-9]+/)
    .some((word) => word.length >= 5 && !hasLegalForm(word) && domain.includes(word));
