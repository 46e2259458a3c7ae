import { momentOf } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import { CreateWorkItem } from '../contracts/work-items.ts';
import type { CreateWorkItemInput, ItemType } from '../contracts/work-items.ts';
import type { RecurringTemplate } from '../contracts/recurring.ts';
import { dayOf, daysBetween, movedByDays } from './occurrences.rules.ts';

/** What the work items of a recurring job are made of. */
export interface Blueprint {
  title: string;
  item_type: ItemType;
  template: RecurringTemplate;
  start_date: string;
  schedule: { timezone: string };
}

const DATES = ['scheduled_start', 'scheduled_end', 'start_date', 'due_date'] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The work item of one occurrence. The template's dates are those of an item for the start date; they move by as many
 * calendar days as the occurrence lies after it. Where nothing is planned, the item is planned for the occurrence.
 */
export function workItemFor(blueprint: Blueprint, occurrence: number): CreateWorkItemInput {
  const { title, item_type, template, start_date, schedule } = blueprint;
  const days = daysBetween(start_date, dayOf(occurrence, schedule.timezone));
  const dates: Record<string, string> = {};
  for (const field of DATES) {
    const date = template[field];
    if (typeof date === 'string') dates[field] = moved(date, days, schedule.timezone);
  }
  const isPlanned = dates['scheduled_start'] !== undefined || dates['scheduled_end'] !== undefined;
  const plan = isPlanned ? {} : { scheduled_start: new Date(occurrence).toISOString() };
  const parsed = CreateWorkItem.safeParse({ title, item_type, ...template, ...plan, ...dates });
  if (parsed.success) return parsed.data;
  // Dates that were moved out of the calendar: for who asked, or the owner, to put right; never for a retry.
  throw ApiError.ofFields(
    parsed.error.issues.map(({ path, message }) => ({
      field: path.join('.'),
      issue: `${message} (moved by ${String(days)} days)`,
    })),
  );
}

function moved(date: string, days: number, timezone: string): string {
  // A date alone has no time of day that summer time could shift.
  if (DAY.test(date)) return new Date(Date.parse(date) + days * 86_400_000).toISOString().replace(/T.*$/, '');
  return new Date(movedByDays(momentOf(date).getTime(), days, timezone)).toISOString();
}
