import type { RequestHandler } from 'express';
import { ApiError } from '../../domain/contracts/errors.ts';
import { contextOf } from './request-context.ts';

/** The last handler of a known path: 405 with the methods that it does have (spec, "Errors"). */
export function methodNotAllowed(path: string, allow: string): RequestHandler {
  return (req, res) => {
    contextOf(req).route = path;
    res.set('Allow', allow);
    throw new ApiError('METHOD_NOT_ALLOWED', `${req.method} is not supported here; use ${allow}.`);
  };
}
