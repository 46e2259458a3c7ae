import type { Word } from '../types.ts';

/** TD1–TD3 and the two visas of ICAO Doc 9303 parts 4 to 7, and the French identity card issued until 2021. */
export type MrzFormat = 'TD1' | 'TD2' | 'TD3' | 'MRV-A' | 'MRV-B' | 'FRA-ID';

export interface MrzValue {
  /** As the zone states it, without fillers; dates are YYYY-MM-DD. */
  value: string;
  /** A check digit agrees with it; undefined where the format has none for this field. */
  verified: boolean | undefined;
  /** Readings that agree with the check digit equally well, where there is more than one. */
  candidates?: string[];
}

export interface Mrz {
  format: MrzFormat;
  /** The repaired lines, of the format's length. */
  lines: string[];
  page: number;
  /** The words that each line was read from. */
  words: Word[][];
  /** Check digits that agree, of those that the lines carry. */
  checks: { passed: number; total: number };
  document_code?: string;
  issuing_country?: MrzValue;
  document_number?: MrzValue;
  surname?: MrzValue;
  given_names?: MrzValue;
  nationality?: MrzValue;
  date_of_birth?: MrzValue;
  /** M, F, or X where the zone leaves it open. */
  sex?: MrzValue;
  expiry_date?: MrzValue;
  personal_number?: MrzValue;
}

/** One line of the page that may belong to a zone. */
export interface ZoneLine {
  text: string;
  words: Word[];
  page: number;
  /** Position among the lines of its page. */
  row: number;
}
