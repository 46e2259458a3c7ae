import type { JwtSigner, TokenKind } from '../../platform/jwt.ts';
import { ExpiredTokenError } from '../../platform/jwt.ts';
import { ApiError } from '../contracts/errors.ts';

/** First-party access tokens. Their `typ` and audience keep them apart from OAuth tokens (decisions §3). */
const FIRST_PARTY: TokenKind = { typ: 'JWT', audience: 'business-platform' };

export const ACCESS_TOKEN_SECONDS = 900;

export interface AccessClaims {
  userId: number;
  clientId: number;
}

export function issueAccessToken(jwt: JwtSigner, claims: AccessClaims, now: number): Promise<string> {
  return jwt.sign(FIRST_PARTY, { sub: String(claims.userId), client_id: claims.clientId }, ACCESS_TOKEN_SECONDS, now);
}

/** The claims of a valid token; UNAUTHORIZED for any other, TOKEN_EXPIRED for one whose 15 minutes are over. */
export async function verifyAccessToken(
  jwt: JwtSigner,
  token: string,
  now: number,
): Promise<AccessClaims & { issuedAt: number }> {
  try {
    const payload = await jwt.verify(FIRST_PARTY, token, now);
    const clientId = payload['client_id'];
    if (typeof clientId !== 'number') throw new ApiError('UNAUTHORIZED', 'The access token is not valid.');
    return { userId: Number(payload.sub), clientId, issuedAt: payload.iat ?? 0 };
  } catch (error) {
    if (error instanceof ExpiredTokenError) {
      throw new ApiError('TOKEN_EXPIRED', 'The access token has expired; refresh it.', { cause: error });
    }
    throw new ApiError('UNAUTHORIZED', 'The access token is not valid.', { cause: error });
  }
}
