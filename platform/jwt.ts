import { SignJWT, errors, importJWK, jwtVerify } from 'jose';
import type { CryptoKey, JWK, JWTPayload } from 'jose';

/** Raised for a token that is not ours, was changed, or is of another kind. */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError';
}

/** Raised for a token of ours whose time is over. */
export class ExpiredTokenError extends Error {
  override readonly name = 'ExpiredTokenError';
}

export interface TokenKind {
  /** The `typ` header: a token of one kind is never taken for another (RFC 8725 §3.11). */
  typ: string;
  audience: string;
  /** Where it is not the platform itself that the token names as its issuer. */
  issuer?: string;
}

export interface JwtSigner {
  sign(kind: TokenKind, claims: JWTPayload & { sub: string }, lifetimeSeconds: number, now: number): Promise<string>;
  verify(kind: TokenKind, token: string, now: number): Promise<JWTPayload>;
  /** The public keys, as a JWK set publishes them. */
  publicKeys(): JWK[];
}

const ALGORITHM = 'ES256';

interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  publicJwk: JWK;
}

/**
 * Signs and verifies ES256 tokens. `keySet` is a JSON JWK set of private keys; the first one signs, all verify, so that
 * a new key can be put in front and the old one removed once its last token has expired.
 */
export async function createJwtSigner(keySet: string, issuer: string): Promise<JwtSigner> {
  const keys = await Promise.all(parseKeySet(keySet).map(importSigningKey));
  const [current] = keys;
  if (current === undefined) throw new Error('JWT_KEYS holds no key');
  const byId = new Map(keys.map((key) => [key.kid, key]));
  return {
    async sign(kind, claims, lifetimeSeconds, now) {
      const issuedAt = Math.floor(now / 1000);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, kid: current.kid, typ: kind.typ })
        .setIssuer(kind.issuer ?? issuer)
        .setAudience(kind.audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(current.privateKey);
    },
    async verify(kind, token, now) {
      try {
        const { payload } = await jwtVerify(token, (header) => publicKeyOf(byId, header.kid), {
          algorithms: [ALGORITHM],
          issuer: kind.issuer ?? issuer,
          audience: kind.audience,
          typ: kind.typ,
          currentDate: new Date(now),
          requiredClaims: ['exp', 'iat', 'sub'],
        });
        return payload;
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new ExpiredTokenError('the token has expired', { cause: error });
        throw new InvalidTokenError('the token is not valid', { cause: error });
      }
    },
    publicKeys: () => keys.map((key) => key.publicJwk),
  };
}

function publicKeyOf(byId: ReadonlyMap<string, SigningKey>, kid: string | undefined): CryptoKey {
  const key = byId.get(kid ?? '');
  if (key === undefined) throw new InvalidTokenError('the token names an unknown key');
  return key.publicKey;
}

function parseKeySet(text: string): JWK[] {
  const parsed = JSON.parse(text) as { keys?: JWK[] };
  if (!Array.isArray(parsed.keys)) throw new Error('JWT_KEYS must be a JSON Web Key set: {"keys": [...]}');
  return parsed.keys;
}

async function importSigningKey(jwk: JWK): Promise<SigningKey> {
  const { d, ...publicJwk } = jwk;
  if (d === undefined || jwk.kid === undefined)
    throw new Error('each key of JWT_KEYS needs a private part `d` and a `kid`');
  const [privateKey, publicKey] = await Promise.all([importJWK(jwk, ALGORITHM), importJWK(publicJwk, ALGORITHM)]);
  return {
    kid: jwk.kid,
    privateKey: privateKey as CryptoKey,
    publicKey: publicKey as CryptoKey,
    publicJwk: { ...publicJwk, alg: ALGORITHM, use: 'sig' },
  };
}
