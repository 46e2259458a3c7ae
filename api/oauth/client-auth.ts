import type { Request } from 'express';
import { OAuthError } from '../../domain/oauth/index.ts';
import type { ApplicationCredentials, RequestParameters } from '../../domain/oauth/index.ts';

/**
 * The application's credentials: in the body (client_secret_post), by HTTP Basic (client_secret_basic), or, for a public
 * client, only its client_id. One way at a time (RFC 6749 §2.3).
 */
export function credentialsOf(req: Request, parameters: RequestParameters): ApplicationCredentials {
  const address = req.ip ?? null;
  const clientId = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  const authorization = req.get('authorization');
  if (authorization === undefined) {
    if (clientId === undefined) throw new OAuthError('invalid_client', 'Client authentication is missing.');
    return { oauthClientId: clientId, secret, address };
  }
  const basic = basicCredentials(authorization);
  if (secret !== undefined) {
    throw new OAuthError(
      'invalid_request',
      'The client authenticates in two ways at once: use HTTP Basic or the body.',
    );
  }
  if (clientId !== undefined && clientId !== basic.oauthClientId) {
    throw new OAuthError('invalid_request', 'client_id is not the one of the Authorization header.');
  }
  return { ...basic, address };
}

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** Both parts are form-encoded before they are joined (RFC 6749 §2.3.1). */
function basicCredentials(authorization: string): { oauthClientId: string; secret: string | undefined } {
  const encoded = BASIC.exec(authorization)?.[1];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  if (id === undefined || secret === undefined) {
    throw new OAuthError('invalid_client', 'The Authorization header is not HTTP Basic with client_id:client_secret.');
  }
  return { oauthClientId: formDecoded(id), secret: secret === '' ? undefined : formDecoded(secret) };
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    throw new OAuthError('invalid_client', 'The Authorization header is not percent-encoded as it must be.', {
      cause: error,
    });
  }
}
