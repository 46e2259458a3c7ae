import { ApiError } from '../domain/contracts/errors.ts';
import type { Call, Operation } from './operation.ts';

const MONTHS_TO_WARNING = 6;
const MONTHS_TO_SUNSET = 12;

export type DeprecationPhase = 'active' | 'warning' | 'sunset';

/** Where in its last year a deprecated operation stands (spec, "States and transitions"); undefined before it begins. */
export function deprecationPhase(since: string, now: number): DeprecationPhase | undefined {
  if (now < Date.parse(since)) return undefined;
  if (now < monthsAfter(since, MONTHS_TO_WARNING)) return 'active';
  return now < monthsAfter(since, MONTHS_TO_SUNSET) ? 'warning' : 'sunset';
}

/** When a deprecated operation stops answering, epoch ms. */
export function sunsetOf(since: string): number {
  return monthsAfter(since, MONTHS_TO_SUNSET);
}

/** Whether an operation is past its sunset: no catalogue lists it any more. */
export function isSunset({ deprecation }: Operation, now: number): boolean {
  return deprecation !== undefined && deprecationPhase(deprecation.since, now) === 'sunset';
}

/** Puts the headers of a deprecated operation on the answer (spec, "Versioning" 4); GONE after its sunset. */
export function announceDeprecation(operation: Operation, { caller, services, request }: Call): void {
  const { deprecation, name } = operation;
  if (deprecation === undefined) return;
  const phase = deprecationPhase(deprecation.since, services.clock.now());
  if (phase === undefined) return;
  const sunset = new Date(sunsetOf(deprecation.since)).toUTCString();
  request.setHeader('Deprecation', 'true');
  request.setHeader('Sunset', sunset);
  request.setHeader('Link', `<${deprecation.guide}>; rel="deprecation"; type="text/html"`);
  if (phase === 'sunset') {
    throw new ApiError('GONE', `${name} ended on ${sunset}. Use ${deprecation.replacement}.`, {
      guide: deprecation.guide,
    });
  }
  if (phase === 'warning') {
    services.log.warn({ operation: name, client_id: caller.clientId, sunset }, 'a deprecated operation is still used');
  }
}

function monthsAfter(since: string, months: number): number {
  const date = new Date(since);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate());
}
