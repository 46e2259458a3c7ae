import type { Request, RequestHandler } from 'express';
import type { Caller } from '../../domain/contracts/caller.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import { contextOf } from '../http/request-context.ts';

const PREFIX = '/sandbox';
const VISION = '/api/v1/vision/';

/**
 * Leads `/sandbox/api/v1/vision/…` to the routes of Document AI, marked as the sandbox's; where the whole process is one
 * (VISION_SANDBOX), also what comes under their own address.
 */
export function sandboxPaths(isAllSandbox: boolean): RequestHandler {
  return (req, _res, next) => {
    const isPrefixed = req.url.startsWith(`${PREFIX}${VISION}`);
    if (isPrefixed) req.url = req.url.slice(PREFIX.length);
    if (isPrefixed || (isAllSandbox && req.url.startsWith(VISION))) contextOf(req).isSandbox = true;
    next();
  };
}

/** The caller as the routes of the sandbox see it; they are for API keys of the environment `testing` (decisions §9). */
export function inSandbox(req: Request, caller: Caller): Caller {
  if (contextOf(req).isSandbox !== true) return caller;
  if (caller.apiKey?.environment !== 'testing') {
    throw new ApiError(
      'FORBIDDEN',
      'The sandbox takes API keys of the environment testing only. Make one, or call /api/v1/vision.',
    );
  }
  return { ...caller, isSandbox: true };
}
