import { momentOf } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import { checkJsonSize, MAX_CUSTOM_FIELDS_BYTES } from '../contracts/json-size.ts';
import type { ItemType } from '../contracts/work-items.ts';
import { STATUSES } from './work-items.rules.ts';

/** The given fields of an item; the two ends of its plan as they will be. */
interface Checked {
  item_type: ItemType;
  status?: string | undefined;
  scheduled_start?: string | null | undefined;
  scheduled_end?: string | null | undefined;
  custom_fields?: Record<string, unknown> | undefined;
}

/** What a schema can not say of an item's fields. */
export function checkRules(given: Checked): void {
  const allowed = STATUSES[given.item_type];
  if (given.status !== undefined && !allowed.includes(given.status)) {
    throw ApiError.invalid('status', `a ${given.item_type} can be ${allowed.join(', ')}`);
  }
  const { scheduled_start: start, scheduled_end: end } = given;
  if (typeof start === 'string' && typeof end === 'string' && momentOf(end) < momentOf(start)) {
    throw ApiError.invalid('scheduled_end', 'must not be before scheduled_start');
  }
  checkJsonSize('custom_fields', given.custom_fields, MAX_CUSTOM_FIELDS_BYTES);
}
