/** Documents are valid for 10 years, some for 15 or 20; a later expiry is of the last century or open-ended. */
const LONGEST_VALIDITY = 25;

/** YYMMDD of a birth: the latest such day that is past, and before the document expires. */
export function birthDate(text: string, expiry: string | undefined, today = new Date()): string | undefined {
  const now = today.toISOString().slice(0, 10);
  const latest = expiry !== undefined && expiry < now ? expiry : now;
  const recent = calendarDate(`20${text}`);
  return recent !== undefined && recent <= latest ? recent : calendarDate(`19${text}`);
}

/** YYMMDD of an expiry. */
export function expiryDate(text: string, today = new Date()): string | undefined {
  const year = Number(`20${text.slice(0, 2)}`);
  return calendarDate(`${year > today.getUTCFullYear() + LONGEST_VALIDITY ? '19' : '20'}${text}`);
}

/** YYYYMMDD as YYYY-MM-DD; undefined where it is no day of the calendar. */
function calendarDate(text: string): string | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  return `${match[1]!}-${match[2]!}-${match[3]!}`;
}
