import type { PageFacts } from './page-facts.ts';

/** The document that is being gathered when the next page comes. */
export interface OpenDocument {
  pages: PageFacts[];
  /** A blank page stands between its last page and the next one. */
  blankAfter: boolean;
}

/** What the pages on both sides of a gap say about whether a new document begins there; each feature is there or not. */
export function gapFeatures(document: OpenDocument, next: PageFacts): Set<string> {
  const previous = document.pages.at(-1)!;
  return new Set([
    'always',
    ...(document.blankAfter ? ['blank page between'] : []),
    ...numbering(previous, next),
    ...kindOfDocument(document.pages, next),
    ...sameMatter(document.pages, next),
    ...flowOfText(previous, next),
    ...paper(previous, next),
  ]);
}

type Flag = [name: string, is: boolean];
const names = (flags: Flag[]): string[] => flags.filter(([, is]) => is).map(([name]) => name);

const atLeast = (name: string, value: number, thresholds: number[]): string[] =>
  thresholds.filter((threshold) => value >= threshold).map((threshold) => `${name} >= ${String(threshold)}`);

function numbering({ number: before }: PageFacts, { number: after }: PageFacts): string[] {
  const surelyBefore = before && !before.bare ? before : undefined;
  const surelyAfter = after && !after.bare ? after : undefined;
  const both = surelyBefore && surelyAfter;
  const follows = before !== undefined && after?.number === before.number + 1;
  return names([
    ['next is page 1', surelyAfter?.number === 1],
    ['next is a later page', (surelyAfter?.number ?? 0) > 1],
    ['previous is the last page', surelyBefore?.of !== undefined && surelyBefore.number === surelyBefore.of],
    ['previous is not the last page', surelyBefore?.of !== undefined && surelyBefore.number < surelyBefore.of],
    ['number follows', Boolean(both) && follows && before.of === after.of],
    ['number does not follow', Boolean(both) && !follows],
    ['numbers of pages differ', Boolean(both) && before?.of !== after?.of],
    ['bare number follows', !both && follows],
    ['bare number restarts', after?.bare === true && after.number === 1],
    ['only previous is numbered', surelyBefore !== undefined && after === undefined],
    ['only next is numbered', surelyAfter !== undefined && before === undefined],
  ]);
}

/** Types that fill one page, or one side of a card. */
const CARDS = ['passport', 'id_document', 'drivers_license'];
const SINGLE = ['receipt', ...CARDS];

function kindOfDocument(pages: PageFacts[], next: PageFacts): string[] {
  const previous = pages.at(-1)!;
  const likeness = (one: PageFacts): number =>
    [...next.types].reduce((sum, [type, probability]) => sum + probability * (one.types.get(type) ?? 0), 0);
  const single = (one: PageFacts): number => SINGLE.reduce((sum, type) => sum + (one.types.get(type) ?? 0), 0);
  const card = (one: PageFacts): number => CARDS.reduce((sum, type) => sum + (one.types.get(type) ?? 0), 0);
  const title = next.title && next.title.coverage >= 0.55 && next.title.height < 0.33 ? next.title : undefined;
  const opened = pages[0]!.title?.name;
  return [
    ...atLeast('likeness of type', likeness(previous), [0.1, 0.4, 0.8]),
    ...(pages.length > 1 ? atLeast('likeness to the first page', likeness(pages[0]!), [0.1, 0.4, 0.8]) : []),
    ...atLeast('previous is a single page', single(previous), [0.3, 0.8]),
    ...atLeast('next is a single page', single(next), [0.3, 0.8]),
    ...names([
      ['card beside another kind', likeness(previous) < 0.1 && Math.max(card(previous), card(next)) >= 0.7],
      [
        'previous is a receipt of another kind',
        likeness(previous) < 0.1 && (previous.types.get('receipt') ?? 0) >= 0.8,
      ],
      ['next has a title', title !== undefined],
      ['next has a loud title', (title?.scale ?? 0) >= 1.35],
      ['next names no document', next.title === undefined],
      ['title of the first page again', title !== undefined && title.name === opened],
      ['another title', title !== undefined && opened !== undefined && title.name !== opened],
    ]),
  ];
}

function sameMatter(pages: PageFacts[], next: PageFacts): string[] {
  const previous = pages.at(-1)!;
  const kinds = [...next.numbers].map(([kind, value]) => ({
    value,
    known: pages.map((page) => page.numbers.get(kind)).filter((found) => found !== undefined),
  }));
  const codes = new Set(pages.flatMap((page) => [...page.codes]));
  const shared = [...next.codes].filter((code) => codes.has(code)).length;
  const dates = new Set(pages.flatMap((page) => [...page.dates]));
  const margins = Math.max(overlap(previous.head, next.head), overlap(previous.foot, next.foot));
  const longWords = overlap(previous.longWords, next.longWords);
  return [
    ...atLeast('likeness of heads', overlap(previous.head, next.head), [0.2, 0.5, 0.85]),
    ...atLeast('likeness of feet', overlap(previous.foot, next.foot), [0.2, 0.5, 0.85]),
    ...(pages.length > 1 ? atLeast('likeness to the first head', overlap(pages[0]!.head, next.head), [0.2, 0.5]) : []),
    ...atLeast('likeness of long words', longWords, [0.03, 0.08, 0.15, 0.3]),
    ...atLeast('likeness of words', overlap(previous.vocabulary, next.vocabulary), [0.06, 0.12, 0.2, 0.35]),
    ...atLeast('codes shared', shared, [1, 2, 4]),
    ...names([
      ['nothing in common', longWords < 0.08 && shared === 0 && margins < 0.2],
      ['same number', kinds.some(({ value, known }) => known.includes(value))],
      ['another number', kinds.some(({ value, known }) => known.length > 0 && !known.includes(value))],
      ['no code shared', shared === 0 && codes.size > 0 && next.codes.size > 0],
      ['date shared', [...next.dates].some((date) => dates.has(date))],
      ['no date shared', dates.size > 0 && next.dates.size > 0 && ![...next.dates].some((date) => dates.has(date))],
      ['next has no number', next.numbers.size === 0],
      ['filled and of the same words', previous.end >= 0.7 && longWords >= 0.08],
      ['filled and much the same words', previous.end >= 0.7 && longWords >= 0.2],
    ]),
  ];
}

function flowOfText(previous: PageFacts, next: PageFacts): string[] {
  return [
    ...atLeast('previous filled', previous.end, [0.5, 0.75]),
    ...names([
      ['next opens in mid-sentence', next.opensSmall],
      ['previous ends in mid-sentence', previous.endsOpen],
      ['mid-sentence on both sides', previous.endsOpen && next.opensSmall],
      ['previous goes on', previous.continues],
      ['next takes over', next.continues],
      ['previous is signed', previous.signed],
      ['previous has its total', previous.totalled],
      ['next has its total', next.totalled],
      ['next has a letterhead', next.letterhead],
      ['both are prose', previous.prose >= 0.3 && next.prose >= 0.3],
      ['one is prose', previous.prose >= 0.3 !== next.prose >= 0.3],
      ['both are ledgers', previous.ledgerRows >= 4 && next.ledgerRows >= 4],
      ['one is a ledger', previous.ledgerRows >= 4 !== next.ledgerRows >= 4],
      ['previous is nearly empty', previous.page.words.length < 15],
      ['previous is a cover', previous.page.words.length < 25 && overlap(previous.longWords, next.longWords) >= 0.3],
      ['next is nearly empty', next.page.words.length < 15],
    ]),
  ];
}

/** The language of a page of fewer words is a guess. */
const LEGIBLE = 60;

function paper(previous: PageFacts, next: PageFacts): string[] {
  const [a, b] = [previous.page, next.page];
  const ratio = Math.max(previous.print, next.print) / Math.max(1, Math.min(previous.print, next.print));
  const near = (one: number, other: number): boolean => Math.abs(one - other) <= 0.01 * Math.max(one, other);
  return names([
    ['another size', !near(a.width, b.width) || !near(a.height, b.height)],
    ['another source', a.source !== b.source],
    ['another language', a.language !== b.language && Math.min(a.words.length, b.words.length) >= LEGIBLE],
    ['another print', ratio > 1.25],
    ['quite another print', ratio > 1.8],
    ['another turn', a.rotation !== b.rotation],
  ]);
}

/** Share of the words of the smaller set that the other has too. */
function overlap(one: Set<string>, other: Set<string>): number {
  const smaller = Math.min(one.size, other.size);
  return smaller === 0 ? 0 : [...one].filter((word) => other.has(word)).length / smaller;
}
