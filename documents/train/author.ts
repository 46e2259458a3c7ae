import type { Terms } from './lexicon/terms.ts';
import type { Random } from './random.ts';
import type { Sheet } from './sheet.ts';

const FIRST =
  'Acorn|Kestrel|Lindholm|Brightside|Nordwind|Vega|Soleil|Rivera|Castello|Marelli|Van Dyk|Tan Brothers|Wong|Silva|Redwood|Atlas|Pinnacle|Harbour|Umhlanga|Meridian|Oakfield|Delta'.split(
    '|',
  );
const SECOND =
  'Trading|Supplies|Services|Logistics|Electronics|Foods|Industries|Consulting|Hardware|Energy|Telecom|Stationery|Engineering|Medical|Office'.split(
    '|',
  );
const LEGAL = 'Ltd|GmbH|SARL|S.L.|S.r.l.|B.V.|Lda|(Pty) Ltd|Sdn Bhd|Inc.|AG|SA|LLC|& Co'.split('|');
const PEOPLE =
  'Anna Berger|John Smith|Marie Dupont|Carlos Ruiz|Giulia Rossi|Jan de Vries|Ana Costa|Pieter Botha|Ahmad bin Ismail|Lim Wei Ling|Sarah Jones|Thandi Nkosi'.split(
    '|',
  );
const STREETS =
  '12 High Street|Hauptstraße 8|14 rue de la Paix|Calle Mayor 3|Via Roma 22|Keizersgracht 101|Rua Augusta 5|7 Church Street|No 19, Jalan Sultan|915 Lakeshore Drive|Unit 4, Mill Park'.split(
    '|',
  );
const TOWNS =
  'London EC1A 1BB|10115 Berlin|75001 Paris|28013 Madrid|20121 Milano|1017 Amsterdam|1100-053 Lisboa|8001 Cape Town|50000 Kuala Lumpur|Madison, WI 53703|Dublin 2|3000 Melbourne'.split(
    '|',
  );
const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'.split('|');

/** The label of a term as one of its alternatives, and invented names, amounts and dates to stand beside it. */
export class Author {
  readonly random: Random;
  readonly sheet: Sheet;
  readonly company: string;
  readonly customer: string;
  private readonly terms: Terms;
  /** Share of the optional parts that this document has. */
  private readonly completeness: number;
  private readonly order: 'iso' | 'dots' | 'slashes' | 'words';
  private readonly comma: boolean;

  constructor(random: Random, sheet: Sheet, terms: Terms) {
    this.random = random;
    this.sheet = sheet;
    this.terms = terms;
    this.completeness = random.between(0.45, 0.95);
    this.company = `${random.pick(FIRST)} ${random.pick(SECOND)} ${random.pick(LEGAL)}`;
    this.customer = random.chance(0.4)
      ? this.person()
      : `${random.pick(FIRST)} ${random.pick(SECOND)} ${random.pick(LEGAL)}`;
    this.order = random.pick(['iso', 'dots', 'slashes', 'words'] as const);
    this.comma = random.chance(0.4);
  }

  term(key: keyof Terms): string {
    return this.random.pick(this.all(key));
  }

  all(key: keyof Terms): string[] {
    return this.terms[key].split('|');
  }

  /** Whether an optional part is there. */
  has(weight = 1): boolean {
    return this.random.chance(this.completeness * weight);
  }

  person = (): string => this.random.pick(PEOPLE);
  street = (): string => this.random.pick(STREETS);
  town = (): string => this.random.pick(TOWNS);

  date(): string {
    const [year, month, day] = [
      this.random.integer(2015, 2026),
      this.random.integer(1, 12),
      this.random.integer(1, 28),
    ];
    const [m, d] = [month, day].map((part) => String(part).padStart(2, '0'));
    if (this.order === 'iso') return `${String(year)}-${m!}-${d!}`;
    if (this.order === 'dots') return `${d!}.${m!}.${String(year)}`;
    if (this.order === 'slashes') return `${d!}/${m!}/${String(year)}`;
    return `${String(day)} ${MONTHS[month - 1]!} ${String(year)}`;
  }

  money(high = 2000): string {
    const [whole, cents] = this.random.between(1, high).toFixed(2).split('.');
    const grouped = whole!.replace(/\B(?=(\d{3})+$)/g, this.comma ? '.' : ',');
    return `${grouped}${this.comma ? ',' : '.'}${cents!}`;
  }

  number(): string {
    const prefix = this.random.pick(['', '', 'A', 'RE-', 'F', 'DN', 'SO/', '2024-']);
    return `${prefix}${String(this.random.integer(1000, 9_999_999))}`;
  }

  /** The issuer at the head of a sheet: name, address, ways to reach it. */
  letterhead(at: number, centred = false): void {
    const write = (text: string, scale = 1): void => {
      if (centred) this.sheet.centred(text, scale);
      else this.sheet.row([[at, text]], scale);
    };
    write(this.company, this.random.between(1, 1.9));
    if (this.has()) write(this.street());
    if (this.has()) write(this.town());
    if (this.has(0.6))
      write(`Tel ${String(this.random.integer(20, 99))} ${String(this.random.integer(100000, 999999))}`);
    if (this.has(0.4)) write('info@example.com');
  }

  /** A label and its value, as `Label: value` or in two columns. */
  labelled(key: keyof Terms, value: string, at = 0.08): void {
    const label = this.term(key);
    if (this.random.chance(0.5)) this.sheet.row([[at, `${label}: ${value}`]]);
    else
      this.sheet.row([
        [at, label],
        [at + 0.25, value],
      ]);
  }

  party(key: keyof Terms, at = 0.08): void {
    this.sheet.row([[at, `${this.term(key)}${this.random.chance(0.5) ? ':' : ''}`]]);
    this.sheet.row([[at, this.customer]]);
    this.sheet.row([[at, this.street()]]);
    this.sheet.row([[at, this.town()]]);
  }

  /** Some alternatives of a term, a line each, with an amount or a word beside it where asked for. */
  lines(key: keyof Terms, share: number, beside?: () => string, at = 0.08): void {
    for (const text of this.random.shuffle(this.random.some(this.all(key), share))) {
      this.sheet.row(
        beside
          ? [
              [at, text],
              [0.75, beside()],
            ]
          : [[at, text]],
      );
    }
  }
}
