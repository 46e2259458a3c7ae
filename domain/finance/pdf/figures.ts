import { digitsOf } from '../money.ts';

/** How one document writes its figures and days, by the locale of its reader. */
export interface Figures {
  /** An amount with its currency. */
  money(amount: number): string;
  /** An amount in a column, where the currency stands in the heading. */
  amount(amount: number): string;
  /** A price of one: as many decimals as it has, at least those of the currency. */
  price(price: number): string;
  quantity(quantity: number): string;
  percent(percent: number): string;
  /** A day, `2026-11-21`. */
  day(day: string): string;
}

/** For readers whose own letters the font lacks. */
const FALLBACK_LOCALE = 'en-GB';

/**
 * The figures of a locale, in 0 to 9. `canPrint`: whether the font has all of a text's letters; where it lacks those of
 * the locale, figures and days are English, and where it lacks the sign of the currency its code stands there.
 */
export function figuresFor(locale: string, currency: string, canPrint: (text: string) => boolean): Figures {
  const figures = figuresIn(locale, currency, canPrint);
  const sample = [figures.day('2026-11-21'), figures.percent(12.5), figures.amount(-1234.5), figures.money(1)].join('');
  return canPrint(sample) ? figures : figuresIn(FALLBACK_LOCALE, currency, canPrint);
}

function figuresIn(locale: string, currency: string, canPrint: (text: string) => boolean): Figures {
  const latin = { numberingSystem: 'latn' } as const;
  const places = digitsOf(currency);
  const decimal = (least: number, most: number): Intl.NumberFormat =>
    new Intl.NumberFormat(locale, { ...latin, minimumFractionDigits: least, maximumFractionDigits: most });
  const withCurrency = (currencyDisplay: 'symbol' | 'code'): Intl.NumberFormat =>
    new Intl.NumberFormat(locale, {
      ...latin,
      style: 'currency',
      currency,
      currencyDisplay,
      minimumFractionDigits: places,
      maximumFractionDigits: places,
    });
  const bySign = withCurrency('symbol');
  const money = canPrint(bySign.format(0)) ? bySign : withCurrency('code');
  const amount = decimal(places, places);
  const price = decimal(places, Math.max(places, 6));
  const plain = decimal(0, 6);
  const percent = new Intl.NumberFormat(locale, { ...latin, style: 'percent', maximumFractionDigits: 4 });
  const day = new Intl.DateTimeFormat(locale, { ...latin, calendar: 'gregory', dateStyle: 'medium', timeZone: 'UTC' });
  return {
    money: (value) => money.format(value),
    amount: (value) => amount.format(value),
    price: (value) => price.format(value),
    quantity: (value) => plain.format(value),
    percent: (value) => percent.format(value / 100),
    day: (value) => day.format(new Date(`${value}T00:00:00Z`)),
  };
}
