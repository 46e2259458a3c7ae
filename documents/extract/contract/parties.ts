import type { Line } from '../../layout/lines.ts';
import type { ExtractionField } from '../../types.ts';
import { hasLegalForm } from '../company.ts';
import { fieldOf } from '../field.ts';
import { isPartyName, namesIn } from './party-names.ts';
import type { Prose } from '../prose.ts';

/** The clause that names the parties stands in the first part of the text. */
const PREAMBLE_LENGTH = 5000;
const CLAUSE_LENGTH = 1800;
const BETWEEN =
  /\breunidos\b|\bparties\s*:?\s*(?=\(?1[).])|\b(?:reunidos|entre les soussign[ée]s|les parties suivantes|the parties|partijen|ondergetekenden)\s*:|\b(?:by\s*and\s*(?:between|among(?:st)?)|(?:is|are|made|entered|executed)\b[^.]{0,60}?\b(?:between|among(?:st)?|by)|between|among(?:st)?|zwischen|entre|tussen|tra|fra)\b\s*:?/giu;
/** What follows the last party. */
const CLAUSE_END =
  /\bwhereas\b|\brecitals?\b|witnesseth|\bnow,?\s*therefore\b|(?:hereby|mutually)\s*agree|\bagree(?:s|d)?\s*(?:as|that|to)\b|\bthis\s*agreement\s*shall|,?\s*and\s*sets\s*forth|\bfor\s*(?:the\s*purpose|good\s*consideration)|\bin\s*(?:order|consideration)\b|\bcollectively\b[^)]{0,60}\bparties\b|\bconcerning\b|\bis\s*(?:dated|effective|made)\b|wird\s*(?:folgend|der)|\bpräambel\b|§\s*1|il a été convenu|il est convenu|préambule|\bexponen\b|acuerdan|manifiestan|overwegende|komen overeen|verklaren/iu;
/** (“Yahoo”), (the "Company"), (hereinafter …), – nachfolgend „Auftraggeber“ –, ci-après dénommée « le Prestataire ». */
const DEFINITION =
  /\((?=[^()]{0,200}?["“”„«»'‘’]|(?:the\s)?here(?:in)?after|nachfolgend|ci-après|en adelante|hierna|in (?:the )?following)[^()]{0,240}\)|[–-]?,?\s*(?:im folgenden|nachfolgend|nachstehend|ci-après|en adelante|en lo sucesivo|hierna)\b[^,.;–]{0,70}?["“”„«»'‘’][^"“”„«»'‘’]{2,40}["“”„«»'‘’]\s?[–-]?/giu;

interface Party {
  name: string;
  index: number;
  length: number;
}

/** The names of those who conclude the contract, as printed, without their roles. */
export function contractParties(prose: Prose, lines: Line[]): ExtractionField | undefined {
  const signed = signatories(lines);
  const preamble = prose.text.slice(0, PREAMBLE_LENGTH);
  const byWorth = (a: Party[], b: Party[]): number => worth(b, signed) - worth(a, signed);
  const clause = clauseReadings(preamble).sort(byWorth)[0] ?? [];
  const letter = letterParties(preamble, lines);
  const parties = unique(clause.length >= 2 || clause.length >= letter.length ? clause : letter);
  if (parties.length < 2) {
    for (const name of signed)
      if (!parties.some((party) => sameName(party.name, name))) parties.push(locate(preamble, prose, name));
  }
  if (parties.length === 0) return undefined;
  const confirmed = parties.filter((party) => signed.some((name) => sameName(name, party.name))).length;
  const certainty =
    (parties.length < 2 ? 0.4 : 0.72 + 0.2 * (confirmed / parties.length)) - 0.04 * Math.max(0, parties.length - 2);
  const boxes = parties.map((party) => prose.wordsAt(party.index, party.length));
  const page = boxes[0]!.page;
  const words = boxes.filter((box) => box.page === page).flatMap((box) => box.words);
  return fieldOf(
    parties.map((party) => party.name),
    words,
    page,
    Math.max(0.2, certainty),
  );
}

/** The parties as each "between … and …" of the preamble gives them. */
function clauseReadings(text: string): Party[][] {
  return [...text.matchAll(BETWEEN)].slice(0, 8).map((match) => {
    const from = match.index + match[0].length;
    const window = text.slice(from, from + CLAUSE_LENGTH);
    const end = clauseEnd(window);
    return partiesOf(window.slice(0, end), from);
  });
}

function clauseEnd(window: string): number {
  const end = CLAUSE_END.exec(window)?.index ?? window.length;
  const sentence =
    /(?<!\b(?:Inc|Ltd|Co|Corp|No|St|Mr|Mrs|Ms|Dr|Nr|Str|Jr|Sr|[A-Z]))\.\s+(?=\p{Lu}\p{Ll})(?!\p{Lu}\p{Ll}+\s*(?:\(|,))(?!(?:Inc|Ltd|Limited|Corp|Co|LLC)\b)/u.exec(
      window,
    )?.index ?? end;
  return Math.min(end, Math.max(sentence, 12));
}

function partiesOf(clause: string, offset: number): Party[] {
  const stretches: { text: string; at: number }[] = [];
  let from = 0;
  for (const definition of clause.matchAll(DEFINITION)) {
    stretches.push({ text: clause.slice(from, definition.index), at: from });
    from = definition.index + definition[0].length;
  }
  stretches.push({ text: clause.slice(from), at: from });
  const pieces = stretches.flatMap(({ text, at }) => splitAtAnd(text, at));
  const found = pieces.flatMap(({ text, at }) =>
    namesIn(text).map((name) => ({ name, index: offset + at + Math.max(0, text.indexOf(name)), length: name.length })),
  );
  return found;
}

/** Cuts before an "and" that a name follows and that doesn't stand inside a company's name. */
function splitAtAnd(text: string, at: number): { text: string; at: number }[] {
  const joints = [
    ...text.matchAll(
      /(?:^|[\s,;])(?:and|und|et|y|en|e)\s+(?!Wales\b)(?=(?:\(?\w{1,3}\)\s*)?[\p{Lu}\d]|\p{Ll}+\p{Lu})/gu,
    ),
  ].filter((match) => {
    const before = text.slice(0, match.index).trimEnd();
    const after = text.slice(match.index + match[0].length);
    return (
      /[,;.)]$/.test(text.slice(0, match.index + 1).trimEnd()) ||
      (namesIn(after).length > 0 && !insideName(before, after))
    );
  });
  const cuts = [0, ...joints.map((match) => match.index + (/^[\s,;]/.test(match[0]) ? 1 : 0)), text.length];
  return cuts.slice(0, -1).map((cut, index) => ({ text: text.slice(cut, cuts[index + 1]), at: at + cut }));
}

/** "Smith and Sons Ltd": the first half has no legal form, the second is short and has one. */
const insideName = (before: string, after: string): boolean => {
  const head = namesIn(before).at(-1);
  const tail = namesIn(after)[0] ?? '';
  return (
    (head === undefined || (!hasLegalForm(head) && before.trimEnd().endsWith(head))) &&
    hasLegalForm(tail) &&
    tail.split(' ').length <= 3 &&
    !before.includes(',') &&
    before.trim().split(' ').length <= 2
  );
};

/** A letter names its writer and its reader by definitions, or calls the reader "you". */
function letterParties(text: string, lines: Line[]): Party[] {
  const found: Party[] = [];
  for (const match of text.slice(0, 2500).matchAll(DEFINITION)) {
    const before = text.slice(Math.max(0, match.index - 90), match.index);
    const name = lastName(before);
    const term = match[0].toLowerCase();
    const names =
      /you|company|recipient|provider|consultant|employee|client|contractor/.test(term) ||
      (name !== undefined &&
        [...term.matchAll(/[“"‘']([\w.&-]{3,})/g)].some((m) => name.toLowerCase().includes(m[1]!)));
    if (name === undefined || !names) continue;
    found.push({ name, index: match.index - before.length + before.lastIndexOf(name), length: name.length });
  }
  if (/\b(?:between|with)\s+you\b/i.test(text)) {
    const reader = addressee(lines);
    if (reader !== undefined)
      found.push({ name: reader, index: Math.max(0, text.indexOf(reader)), length: reader.length });
  }
  return found;
}

/** The name that ends a stretch: "… and Neuromed Pharmaceuticals Inc. ". */
function lastName(before: string): string | undefined {
  const words = before.trim().split(/\s+/);
  let from = words.length;
  while (from > 0 && words.length - from < 7) {
    const word = words[from - 1]!;
    const ends = /[.:;]$/.test(word) && from < words.length && !/^(?:\p{Lu}|Inc|Ltd|Co|Corp|St|Mr|Dr)\.$/u.test(word);
    if (ends || !/^(?:[\p{Lu}\d&]|of$|de$|and$|von$|van$|e?\p{Ll}\p{Lu})/u.test(word)) break;
    from--;
  }
  for (; from < words.length; from++) {
    const name = words
      .slice(from)
      .join(' ')
      .replace(/^[,.;]+|[,;]+$/g, '');
    if (isPartyName(name) && (hasLegalForm(name) || name.includes(' '))) return name;
  }
  return undefined;
}

/** The person or company that a letter is addressed to: the block before "Dear …". */
function addressee(lines: Line[]): string | undefined {
  const greeting = lines.findIndex((line) =>
    /^\W*(?:dear|sehr geehrte|cher|chère|madame|monsieur|estimad|geachte)\b/i.test(line.text),
  );
  if (greeting < 2) return undefined;
  const block = lines
    .slice(Math.max(0, greeting - 7), greeting)
    .map((line) => line.text.replace(/^(?:mr|mrs|ms|dr)\.?\s+/i, '').trim());
  return (
    block.find((text) => hasLegalForm(text) && isPartyName(text)) ??
    block.find((text) => isPartyName(text) && text.split(' ').length <= 5)
  );
}

const SIGNATURE = /^\W*(?:by|per|name|signed|signature|its|title|durch|par|por|door|unterschrift)\s*[:/_]|\/s\//i;

/** Names printed over the lines to sign on. */
function signatories(lines: Line[]): string[] {
  const tail = lines.slice(Math.floor(lines.length * 0.5));
  const found: string[] = [];
  for (const [index, line] of tail.entries()) {
    if (!SIGNATURE.test(line.text)) continue;
    for (const above of tail.slice(Math.max(0, index - 2), index)) {
      for (const { text } of above.segments) {
        const name = text.replace(/[:,]\s*$/, '').trim();
        if (
          !SIGNATURE.test(text) &&
          hasLegalForm(name) &&
          isPartyName(name) &&
          !found.some((other) => sameName(other, name))
        )
          found.push(name);
      }
    }
  }
  return found.slice(0, 4);
}

const flat = (name: string): string => name.toLowerCase().replace(/[^\p{L}\d]/gu, '');

const sameName = (a: string, b: string): boolean => {
  const [x, y] = [flat(a), flat(b)];
  return x === y || (Math.min(x.length, y.length) >= 6 && (x.startsWith(y) || y.startsWith(x)));
};

function unique(parties: Party[]): Party[] {
  const kept: Party[] = [];
  for (const party of parties) if (!kept.some((other) => sameName(other.name, party.name))) kept.push(party);
  return kept;
}

function locate(preamble: string, prose: Prose, name: string): Party {
  const early = preamble.indexOf(name);
  const index = early >= 0 ? early : prose.text.lastIndexOf(name);
  return { name, index: Math.max(0, index), length: index < 0 ? 0 : name.length };
}

/** A clause with two parties or more, known from the signatures, with legal forms, early in the text. */
function worth(parties: Party[], signed: string[]): number {
  const names = unique(parties);
  const confirmed = names.filter((party) => signed.some((name) => sameName(name, party.name))).length;
  const formed = names.filter((party) => hasLegalForm(party.name)).length;
  return Math.min(2, names.length) * 3 + confirmed * 2 + formed - (parties[0]?.index ?? 0) / 2000;
}
