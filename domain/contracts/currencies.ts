import { z } from 'zod';

/** Active ISO 4217 codes of currencies that people are paid in (funds, metals and testing codes left out). */
const CODES = `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF
  CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF
  IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT
  MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR
  SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV
  WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`;

/** Those whose minor unit is no hundredth (ISO 4217, "Minor unit"). */
const EXCEPTIONS = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
} as const;

const DIGITS: ReadonlyMap<string, number> = new Map([
  ...CODES.split(/\s+/).map((code) => [code, 2] as const),
  ...Object.entries(EXCEPTIONS).flatMap(([digits, codes]) =>
    codes.split(' ').map((code) => [code, Number(digits)] as const),
  ),
]);

/** Decimals of a currency's minor unit: 2 for ZAR, 0 for JPY, 3 for KWD; undefined for what is no currency. */
export function minorDigits(currency: string): number | undefined {
  return DIGITS.get(currency);
}

/** A currency, as input. */
export const currencyField = (description: string) =>
  z
    .string()
    .length(3)
    .refine((code) => minorDigits(code) !== undefined, 'must be an ISO 4217 code such as ZAR')
    .describe(`${description} (ISO 4217, upper case)`)
    .meta({ example: 'ZAR' });
