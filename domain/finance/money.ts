import { Big } from 'big.js';
import { ApiError } from '../contracts/errors.ts';
import { minorDigits } from '../contracts/currencies.ts';

// An ordinary module rather than a *.rules.ts one: those may import nothing, and money is computed with a decimal library.

/** Largest amount of a document, in major units: below it every amount is exact as a JSON number, whatever the currency. */
export const MAX_AMOUNT = 999_999_999_999;

/** Decimals of a currency that a stored document has; its code was checked when it was made. */
export function digitsOf(currency: string): number {
  const digits = minorDigits(currency);
  if (digits === undefined) throw new Error(`${currency} is no currency`);
  return digits;
}

/** An amount in minor units, or undefined where the currency has no such fraction (0.5 JPY). */
export function toMinor(amount: number, currency: string): number | undefined {
  const minor = new Big(amount).times(new Big(10).pow(digitsOf(currency)));
  return minor.eq(minor.round(0)) ? minor.toNumber() : undefined;
}

/** The same for what a caller gave as `amount`: 400 where the currency has no such fraction. */
export function minorOf(amount: number, currency: string): number {
  const minor = toMinor(amount, currency);
  if (minor === undefined) throw ApiError.invalid('amount', `${currency} has ${String(digitsOf(currency))} decimals`);
  return minor;
}

/** Minor units as the decimal number that goes over the wire. */
export function toMajor(minor: number, currency: string): number {
  return new Big(minor).div(new Big(10).pow(digitsOf(currency))).toNumber();
}
