import type { Request, Response } from 'express';
import { ApiError } from '../../domain/contracts/errors.ts';
import type { Caller } from '../../domain/contracts/caller.ts';
import { OAuthError, userInfo } from '../../domain/oauth/index.ts';
import { authenticate } from '../middleware/authenticate.ts';
import { limitRate } from '../middleware/rate-limit.ts';
import type { Services } from '../services.ts';

/** GET or POST with the token in the header (OpenID Connect Core §5.3.1; RFC 6750 §2.1, the only way taken here). */
export async function answerUserInfo(services: Services, req: Request, res: Response): Promise<void> {
  const caller = await callerOf(services, req);
  const refusal = await limitRate(res, caller, services.limiter);
  if (refusal !== undefined) throw refusal;
  res.json(await userInfo(services.system, caller));
}

async function callerOf({ authenticator }: Services, req: Request): Promise<Caller> {
  try {
    return await authenticate(req, ['oauth'], authenticator);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    throw new OAuthError('invalid_token', error.message, { cause: error });
  }
}
