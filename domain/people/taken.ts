import { ApiError } from '../contracts/errors.ts';
import { brokenConstraint } from '../../platform/db/errors.ts';

/** The field, and what is wrong with its value, of each constraint that a write may break. */
type Rules = Readonly<Record<string, readonly [field: string, issue: string]>>;

/** CONFLICT for the error of a value that another record of the client has: the constraint alone knows it in time. */
export function refuseTaken(rules: Rules): (error: unknown) => never {
  return (error) => {
    const [field, issue] = rules[brokenConstraint(error) ?? ''] ?? [];
    if (field === undefined || issue === undefined) throw error;
    throw new ApiError('CONFLICT', `${field}: ${issue}`, { details: [{ field, issue }], cause: error });
  };
}
