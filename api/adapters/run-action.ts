import type { Request, Response } from 'express';
import { ApiError } from '../../domain/contracts/errors.ts';
import { execute } from '../execute.ts';
import { addressOf, contextOf } from '../http/request-context.ts';
import type { Call, Outcome, RequestFacts } from '../operation.ts';
import { actions } from '../registry.ts';
import type { Action } from '../registry.ts';
import { nearestName } from '../validate.ts';

export function factsOf(req: Request, res: Response): RequestFacts {
  const { requestId, version } = contextOf(req);
  return {
    requestId,
    version,
    address: addressOf(req),
    setHeader: (name, value) => {
      res.set(name, value);
    },
  };
}

/** Runs the action that `body.action` names, with the other fields as its parameters. */
export async function runAction(call: Call, body: Record<string, unknown>): Promise<Outcome<unknown>> {
  const { action: name, ...params } = body;
  if (name === undefined) throw ApiError.badRequest('action', 'is required');
  if (typeof name !== 'string') throw ApiError.badRequest('action', 'must be a string');
  return runNamedAction(call, name, params);
}

/** The same where the name stands apart from the parameters, so that none of these can be taken for it. */
export async function runNamedAction(
  call: Call,
  name: string,
  params: Record<string, unknown>,
): Promise<Outcome<unknown>> {
  return execute(findAction(name), call, params);
}

function findAction(name: string): Action {
  const action = actions.get(name);
  if (action !== undefined) return action;
  const nearest = nearestName(name, [...actions.keys()]);
  const hint = nearest === undefined ? 'GET /api/v1/public/data lists them.' : `Did you mean ${nearest}?`;
  throw new ApiError('INVALID_ACTION', `There is no action ${JSON.stringify(name.slice(0, 100))}. ${hint}`);
}
