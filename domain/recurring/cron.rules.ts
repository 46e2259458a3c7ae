import { Cron } from 'croner';

/** The plain five-field form, in numbers and three-letter names; the library knows more, which Temporal does not. */
const VALUE = '(\\d+|[A-Za-z]{3})';
const RANGE = `(\\*|${VALUE}(-${VALUE})?)(/\\d+)?`;
const FIELD = `${RANGE}(,${RANGE})*`;
const FIVE_FIELDS = new RegExp(`^${FIELD}( +${FIELD}){4}$`);

/**
 * A cron expression that {@link cronIssue} found nothing wrong with. When the clocks change it goes as cron does: times that
 * are written out come true at the moment that skips them, and once where they are shown twice; with `*` or a step in the
 * minutes or hours it goes on as time passes, so that what is skipped is not there and what is shown twice comes twice.
 */
export function cronOf(expression: string, timezone: string): Cron {
  return new Cron(expression, { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });
}

/** What is wrong with a cron expression, in words; undefined for a good one. */
export function cronIssue(expression: string): string | undefined {
  if (!FIVE_FIELDS.test(expression)) {
    return 'must be five fields (minute hour day-of-month month day-of-week) of * , - / and values, such as 0 7 * * 1';
  }
  try {
    cronOf(expression, 'UTC');
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^CronPattern: /, '');
  }
}
