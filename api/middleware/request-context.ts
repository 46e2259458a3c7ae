import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '../../domain/contracts/errors.ts';
import { withLogContext } from '../../platform/log.ts';
import type { Logger } from '../../platform/log.ts';
import { contextOf, setContext } from '../http/request-context.ts';
import { CURRENT_VERSION, FIRST_VERSION } from '../versions.ts';

const CORRELATION_ID = /^[\x21-\x7e]{1,128}$/;

/** Gives the request its id and version, its log context, and one log line when it is answered. */
export function requestContext(log: Logger): RequestHandler {
  return (req, res, next) => {
    const requestId = randomUUID();
    const theirs = req.headers['x-request-id'];
    const correlationId = typeof theirs === 'string' && CORRELATION_ID.test(theirs) ? theirs : undefined;
    setContext(req, { requestId, version: CURRENT_VERSION, startedAt: performance.now(), route: 'unmatched' });
    res.setHeader('X-Request-Id', requestId);
    res.setHeader('X-API-Version', CURRENT_VERSION);
    if (correlationId !== undefined) res.set('X-Correlation-Id', correlationId);
    const fields =
      correlationId === undefined
        ? { request_id: requestId }
        : { request_id: requestId, correlation_id: correlationId };
    withLogContext(fields, () => {
      res.once('finish', () => {
        const { route, startedAt } = contextOf(req);
        const ms = Math.round((performance.now() - startedAt) * 10) / 10;
        log.info({ method: req.method, route, status: res.statusCode, ms }, 'request');
      });
      next();
    });
  };
}

/** A day of the calendar, `2026-07-01` (spec, "Versioning" 2). */
const Version = z.iso.date();

/** Checks X-API-Version; without one the current version handles the request (spec, "Versioning" 2). */
export const apiVersion: RequestHandler = (req, res, next) => {
  const wanted = req.get('x-api-version');
  if (wanted !== undefined) {
    if (!Version.safeParse(wanted).success) {
      throw ApiError.invalid('X-API-Version', 'must be a date such as 2026-07-01');
    }
    if (wanted < FIRST_VERSION || wanted > CURRENT_VERSION) {
      throw ApiError.invalid('X-API-Version', `must lie between ${FIRST_VERSION} and ${CURRENT_VERSION}`);
    }
    contextOf(req).version = wanted;
    res.set('X-API-Version', wanted);
  }
  next();
};
