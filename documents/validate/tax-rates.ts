/**
 * National rates of VAT, GST and their like, in percent, with the days on which they apply. Reduced and regional rates
 * stand beside the standard ones: the question here is only whether a rate that a document prints exists. Zero-rated and
 * exempt supplies exist everywhere and are not listed.
 */
export interface TaxRate {
  rate: number;
  /** First and last day, ISO; no `until`: still in force. */
  from: string;
  until?: string;
}

/** Each rate with its days: `rate:from` or `rate:from..until`. */
const table: Record<string, string> = {
  // Value-Added Tax Act 89 of 1991 s 7; 15% by the 2018 Budget (the rise announced for May 2025 was withdrawn).
  ZA: '14:1993-04-07..2018-03-31 15:2018-04-01',
  // Value-Added Tax Act 10 of 2000.
  NA: '15:2000-11-27',
  // BURS, Value Added Tax (Amendment) Acts; the cut to 12% of August 2022 ran for six months.
  BW: '10:2002-07-01..2010-03-31 12:2010-04-01..2021-03-31 14:2021-04-01 12:2022-08-03..2023-02-02',
  // HMRC, VAT rates; VAT Act 1994 s 2 and Sch 7A; hospitality relief 2020-22.
  GB: '17.5:1991-04-01..2008-11-30 15:2008-12-01..2009-12-31 17.5:2010-01-01..2011-01-03 20:2011-01-04 5:1997-09-01 12.5:2021-10-01..2022-03-31',
  // Revenue, "Historical VAT rates"; 4.8% for livestock.
  IE: '21:2002-03-01..2008-11-30 21.5:2008-12-01..2009-12-31 21:2010-01-01..2011-12-31 23:2012-01-01..2020-08-31 21:2020-09-01..2021-02-28 23:2021-03-01 13.5:2003-01-01 9:2011-07-01 4.8:2005-01-01',
  // UStG § 12; § 28 (1)-(3) for the second half of 2020.
  DE: '16:1998-04-01..2006-12-31 19:2007-01-01..2020-06-30 16:2020-07-01..2020-12-31 19:2021-01-01 7:1983-07-01..2020-06-30 5:2020-07-01..2020-12-31 7:2021-01-01',
  // CGI art. 278 to 281 octies.
  FR: '19.6:2000-04-01..2013-12-31 20:2014-01-01 5.5:1982-07-01 7:2012-01-01..2013-12-31 10:2014-01-01 2.1:1989-01-01 8.5:1995-01-01',
  // Wet op de omzetbelasting 1968 art. 9.
  NL: '19:2001-01-01..2012-09-30 21:2012-10-01 6:1986-10-01..2018-12-31 9:2019-01-01',
  // Ley 37/1992 art. 90-91; food under RDL 20/2022 and RDL 4/2024; IGIC of the Canaries 7 and 3.
  ES: '16:1995-01-01..2010-06-30 18:2010-07-01..2012-08-31 21:2012-09-01 7:1995-01-01..2010-06-30 8:2010-07-01..2012-08-31 10:2012-09-01 4:1995-01-01 5:2021-06-26..2024-12-31 7.5:2024-10-01..2024-12-31 2:2024-10-01..2024-12-31 7:2020-01-01 3:2012-07-01',
  // DPR 633/1972 art. 16.
  IT: '20:1997-10-01..2011-09-16 21:2011-09-17..2013-09-30 22:2013-10-01 10:1995-02-24 5:2016-01-01 4:1989-01-01',
  // CIVA art. 18, with Madeira (22, 12, 5, 4) and the Azores (16, 9, 4).
  PT: '20:2008-07-01..2010-06-30 21:2010-07-01..2010-12-31 23:2011-01-01 13:2010-07-01 12:1996-07-01 6:2010-07-01 5:1996-07-01 22:2012-04-01 18:2014-01-01..2021-06-30 16:2021-07-01 9:2014-01-01 4:2010-07-01',
  // Code TVA / BTW, arrêté royal n° 20.
  BE: '21:1996-01-01 12:1992-04-01 6:1992-04-01',
  // UStG 1994 § 10; 5% by § 28 Abs. 52 for 2020-07 to 2021-12; 19% in Jungholz and Mittelberg.
  AT: '20:1984-01-01 13:2016-01-01 10:1984-01-01 5:2020-07-01..2021-12-31 19:1995-01-01',
  // Loi TVA art. 39-40; lowered by one point for 2023.
  LU: '15:1992-01-01..2014-12-31 17:2015-01-01..2022-12-31 16:2023-01-01..2023-12-31 17:2024-01-01 14:2015-01-01..2022-12-31 13:2023-01-01..2023-12-31 14:2024-01-01 8:2015-01-01..2022-12-31 7:2023-01-01..2023-12-31 8:2024-01-01 3:1992-01-01',
  // Momsloven § 33.
  DK: '25:1992-01-01',
  // Mervärdesskattelagen 2023:200, 9 kap.
  SE: '25:1990-07-01 12:1996-01-01 6:1996-01-01',
  // Stortingets vedtak om merverdiavgift; 6% and 10% of 2020-21 were Covid relief.
  NO: '25:2005-01-01 15:2012-01-01 12:2018-01-01..2020-03-31 6:2020-04-01..2021-09-30 12:2021-10-01',
  // Arvonlisäverolaki 1501/1993 § 84-85a.
  FI: '23:2010-07-01..2012-12-31 24:2013-01-01..2024-08-31 25.5:2024-09-01 14:2013-01-01..2025-12-31 13.5:2026-01-01 10:2013-01-01',
  // Ustawa o VAT art. 41 and 146aa.
  PL: '22:1993-07-05..2010-12-31 23:2011-01-01 8:2011-01-01 5:2011-01-01',
  // Zákon 235/2004 § 47.
  CZ: '20:2010-01-01..2012-12-31 21:2013-01-01 15:2013-01-01..2023-12-31 10:2015-01-01..2023-12-31 12:2024-01-01',
  // Áfa tv. 2007:CXXVII § 82.
  HU: '25:2009-07-01..2011-12-31 27:2012-01-01 18:2009-07-01 5:2004-01-01',
  // Codul fiscal art. 291; Legea 141/2025.
  RO: '24:2010-07-01..2015-12-31 20:2016-01-01..2016-12-31 19:2017-01-01..2025-07-31 21:2025-08-01 9:2008-01-01 5:2008-12-15..2025-07-31 11:2025-08-01',
  // ZDDS art. 66.
  BG: '20:1999-01-01 9:2011-04-01',
  // Law 2859/2000 art. 21, and the islands' rates (17, 9, 4).
  GR: '23:2010-07-01..2016-05-31 24:2016-06-01 13:2011-01-01 6:2015-07-20 17:2016-06-01 9:2016-06-01 4:2016-06-01',
  // Zakon o PDV čl. 38.
  HR: '25:2012-03-01 13:2014-01-01 5:2013-01-01',
  // ZDDV-1 art. 41.
  SI: '20:2002-01-01..2013-06-30 22:2013-07-01 9.5:2013-07-01 5:2020-01-01',
  // Zákon 222/2004 § 27; 278/2024.
  SK: '20:2011-01-01..2024-12-31 23:2025-01-01 19:2025-01-01 10:2011-01-01..2024-12-31 5:2023-01-01',
  // PVM įstatymas art. 19.
  LT: '21:2009-09-01 9:2009-01-01..2025-12-31 12:2026-01-01 5:2004-05-01',
  // PVN likums art. 41.
  LV: '21:2012-07-01 12:2011-01-01 5:2018-01-01',
  // Käibemaksuseadus § 15.
  EE: '20:2009-07-01..2023-12-31 22:2024-01-01..2025-06-30 24:2025-07-01 9:2009-01-01 13:2025-01-01 5:2022-08-01..2024-12-31',
  // VAT Law 95(I)/2000.
  CY: '19:2014-01-13 9:2014-01-13 5:2003-05-01 3:2023-07-01',
  // VAT Act cap. 406, eighth schedule.
  MT: '18:2004-01-01 12:2024-01-01 7:2011-01-01 5:2004-01-01',
  // MWSTG art. 25.
  CH: '8:2011-01-01..2017-12-31 7.7:2018-01-01..2023-12-31 8.1:2024-01-01 2.5:2011-01-01..2023-12-31 2.6:2024-01-01 3.8:2011-01-01..2017-12-31 3.7:2018-01-01..2023-12-31 3.8:2024-01-01',
  // Excise Tax Act s 165: GST and harmonised rates; provinces' own taxes beside the GST are not national.
  CA: '5:2008-01-01 13:2010-07-01 14:2025-04-01 15:2010-07-01',
  // A New Tax System (Goods and Services Tax) Act 1999.
  AU: '10:2000-07-01',
  // Goods and Services Tax Act 1985 s 8.
  NZ: '12.5:1989-07-01..2010-09-30 15:2010-10-01',
  // Service Tax Act 1975; GST Act 2014 (6%, at 0% from June 2018); Sales and Service Tax Acts 2018, service tax 8% of 2024.
  MY: '5:1975-03-01..2010-12-31 6:2011-01-01..2015-03-31 6:2015-04-01..2018-05-31 6:2018-09-01 8:2024-03-01 10:2018-09-01 5:2018-09-01',
  // Goods and Services Tax Act 1993 s 16.
  SG: '7:2007-07-01..2022-12-31 8:2023-01-01..2023-12-31 9:2024-01-01',
  // CGST Act 2017 with its rate notifications, whole and as the halves of CGST and SGST; the slabs of 22 September 2025.
  IN: '5:2017-07-01 12:2017-07-01..2025-09-21 18:2017-07-01 28:2017-07-01..2025-09-21 40:2025-09-22 3:2017-07-01 0.25:2017-07-01 2.5:2017-07-01 6:2017-07-01..2025-09-21 9:2017-07-01 14:2017-07-01..2025-09-21 20:2025-09-22 1.5:2017-07-01',
  // Federal Decree-Law 8 of 2017.
  AE: '5:2018-01-01',
  // VAT Implementing Regulations; Royal Order A/638.
  SA: '5:2018-01-01..2020-06-30 15:2020-07-01',
  // VAT Act 2013 s 5; Legal Notice 35 of 2020; petroleum 8% 2018 to 2023.
  KE: '16:2003-06-13..2020-03-31 14:2020-04-01..2020-12-31 16:2021-01-01 8:2018-09-21..2023-06-30',
  // VAT Act s 4; Finance Act 2019.
  NG: '5:1994-01-01..2020-01-31 7.5:2020-02-01',
  // No national tax on sales: those of the states and counties can't be told from the country.
  US: '',
};

/** The rates of a country on a day, or of all days where none is given. Undefined: a country that the table has not. */
export function taxRatesOn(country: string, day?: string): TaxRate[] | undefined {
  const rows = table[country];
  if (rows === undefined) return undefined;
  return rows
    .split(' ')
    .filter((row) => row !== '')
    .map(parseRow)
    .filter(({ from, until }) => day === undefined || (from <= day && (until === undefined || day <= until)));
}

function parseRow(row: string): TaxRate {
  const [rate, days] = row.split(':') as [string, string];
  const [from, until] = days.split('..') as [string, string?];
  return { rate: Number(rate), from, ...(until === undefined ? {} : { until }) };
}

export const isTaxCountry = (country: string): boolean => country in table;
