import type { Author } from '../author.ts';

/** Prose is broken after so many letters. */
const PROSE_WIDTH = 95;

function prose(author: Author, text: string): void {
  let line = '';
  for (const word of text.split(' ')) {
    if (line.length + word.length > PROSE_WIDTH) {
      author.sheet.row([[0.08, line]]);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  author.sheet.row([[0.08, line]]);
}

function contract(author: Author): void {
  const { random, sheet } = author;
  if (author.has(1.1)) sheet.centred(author.term('contract'), random.between(1, 1.8));
  sheet.gap();
  prose(
    author,
    `${author.term('parties')}: ${author.company}, ${author.street()}, ${author.town()} / ${author.customer}, ${author.street()}.`,
  );
  const clauses = random.integer(6, 60);
  for (let clause = 1; clause <= clauses; clause++) {
    if (random.chance(0.3)) sheet.gap(0.5);
    const number = random.chance(0.4) ? `${String(clause)}. ` : '';
    prose(author, `${number}${random.shuffle(author.all('clauses')).slice(0, random.integer(1, 4)).join('; ')}.`);
  }
  sheet.gap();
  sheet.row([
    [0.08, author.company],
    [0.55, author.customer],
  ]);
  sheet.row([
    [0.08, '____________________'],
    [0.55, '____________________'],
  ]);
  sheet.row([[0.08, author.date()]]);
}

function resume(author: Author): void {
  const { random, sheet } = author;
  sheet.row([[random.pick([0.08, 0.35]), author.person()]], random.between(1.3, 2.2));
  if (author.has(0.5)) sheet.row([[0.08, author.term('resume')]], random.between(1, 1.5));
  sheet.row([
    [0.08, author.town()],
    [0.5, 'anna@example.com'],
  ]);
  if (author.has(0.4)) author.labelled('birth', author.date());
  if (author.has(0.2)) author.labelled('nationality', author.town());
  for (const section of random.shuffle(author.all('headings')).slice(0, random.integer(3, 6))) {
    sheet.gap();
    sheet.row([[0.08, random.chance(0.4) ? section.toUpperCase() : section]], random.between(1, 1.4));
    for (let entry = random.integer(1, 8); entry > 0; entry--) {
      const start = random.integer(2005, 2022);
      const range = `${String(start)} ${random.pick(['-', '–'])} ${random.chance(0.2) ? 'present' : String(start + 2)}`;
      sheet.row(
        random.chance(0.5)
          ? [
              [0.08, range],
              [0.3, author.term('career')],
            ]
          : [[0.1, `• ${author.term('career')}`]],
      );
    }
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const pad = (text: string, length: number): string => text.padEnd(length, '<').slice(0, length);

/** Machine-readable lines in the shape of ICAO 9303; their check digits are not looked at by the classifier. */
function machineReadable(author: Author, kind: 'TD1' | 'TD2' | 'TD3'): string[] {
  const { random } = author;
  const [given, ...family] = author.person().toUpperCase().split(' ');
  const name = `${family.join('<')}<<${given!}`;
  const country = random.pick(['GBR', 'D<<', 'FRA', 'ESP', 'ITA', 'NLD', 'PRT', 'ZAF', 'MYS', 'UTO', 'CZE', 'USA']);
  const digits = (length: number): string => Array.from({ length }, () => String(random.integer(0, 9))).join('');
  const number = `${random.pick(alphabet)}${random.pick(alphabet)}${digits(7)}`;
  const body = `${digits(7)}${random.pick(['M', 'F'])}${digits(7)}`;
  if (kind === 'TD3')
    return [pad(`P<${country}${name}`, 44), pad(`${number}${digits(1)}${country}${body}`, 43) + digits(1)];
  const letter = random.pick(['I', 'ID', 'A', 'AR', 'C', 'IP']);
  if (kind === 'TD2')
    return [pad(`${pad(letter, 2)}${country}${name}`, 36), pad(`${number}${digits(1)}${country}${body}`, 36)];
  return [pad(`${pad(letter, 2)}${country}${number}${digits(1)}`, 30), pad(`${body}${country}`, 30), pad(name, 30)];
}

function holderRows(author: Author): void {
  const at = author.random.pick([0.35, 0.4, 0.08]);
  if (author.has()) author.labelled('surname', author.person().split(' ').at(-1)!.toUpperCase(), at);
  if (author.has()) author.labelled('given', author.person().split(' ')[0]!.toUpperCase(), at);
  if (author.has(0.8)) author.labelled('nationality', author.random.pick(['GBR', 'DEUTSCH', 'FRA', 'ZAF']), at);
  if (author.has()) author.labelled('birth', author.date(), at);
  if (author.has()) author.labelled('expiry', author.date(), at);
  if (author.has(0.6)) author.labelled('authority', author.town(), at);
}

function passport(author: Author): void {
  if (author.has(1.1))
    author.sheet.row(
      [
        [0.08, author.term('passport')],
        [0.4, `P   UTO   ${author.number()}`],
      ],
      1.3,
    );
  holderRows(author);
  author.sheet.gap();
  const kept = author.random.chance(0.9) ? machineReadable(author, 'TD3') : [];
  for (const line of kept) author.sheet.row([[0.04, line]], 1.2);
}

function identityCard(author: Author): void {
  if (author.has(1.1)) author.sheet.row([[0.08, author.term('id_document')]], 1.3);
  if (author.has(0.5)) author.sheet.row([[0.5, author.number()]]);
  holderRows(author);
  author.sheet.gap();
  const kept = author.random.chance(0.55)
    ? machineReadable(author, author.random.pick(['TD1', 'TD1', 'TD2'] as const))
    : [];
  for (const line of kept) author.sheet.row([[0.04, line]], 1.2);
}

function drivingLicence(author: Author): void {
  author.sheet.row([[0.08, author.term('drivers_license')]], 1.3);
  const numbered = author.random.chance(0.5);
  const fields = [
    author.person().toUpperCase(),
    author.person().toUpperCase(),
    author.date(),
    author.date(),
    author.date(),
    author.number(),
  ];
  const numbers = ['1.', '2.', '3.', '4a.', '4b.', '5.'];
  for (const [index, value] of fields.entries())
    author.sheet.row([[0.35, numbered ? `${numbers[index]!} ${value}` : value]]);
  if (author.has(0.5)) author.labelled('birth', author.date(), 0.35);
  if (author.has(0.5)) author.labelled('expiry', author.date(), 0.35);
  if (author.has(0.3)) author.labelled('authority', author.town(), 0.35);
  author.lines('licence_class', 0.6, undefined, 0.35);
}

function proofOfAddress(author: Author): void {
  const { random, sheet } = author;
  if (author.has(1.1)) author.letterhead(random.pick([0.08, 0.55]));
  sheet.gap();
  if (author.has()) sheet.row([[0.08, author.date()]]);
  if (author.has(0.4)) sheet.row([[0.08, author.all('letter')[0]!]]);
  if (author.has(1.1)) sheet.row([[0.08, author.term('proof_of_address')]], random.between(1, 1.8));
  sheet.gap();
  prose(author, `${author.term('confirm')} ${author.person()} ${author.term('residence')}:`);
  sheet.row([[0.12, author.person()]]);
  sheet.row([[0.12, author.street()]]);
  sheet.row([[0.12, author.town()]]);
  if (author.has(0.4)) author.labelled('birth', author.date());
  if (author.has(0.4)) author.labelled('account_no', author.number());
  if (author.has(0.5)) prose(author, `${author.term('confirm')} ${author.term('residence')}.`);
  sheet.gap();
  if (author.has()) sheet.row([[0.08, author.all('letter').at(-1)!]]);
  sheet.row([[0.08, author.person()]]);
}

export const personalRecipes = {
  contract,
  resume,
  passport,
  id_document: identityCard,
  drivers_license: drivingLicence,
  proof_of_address: proofOfAddress,
};
