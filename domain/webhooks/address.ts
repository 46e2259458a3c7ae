import { isIP } from 'node:net';
import { isPublicAddress } from '../../platform/http/addresses.ts';
import { parseTarget } from '../../platform/http/guarded-client.ts';

/**
 * Why nothing can be sent to an address; undefined where it seems that it can. What can be seen without a look-up: each
 * connection checks the resolved addresses again.
 */
export function addressIssue(url: string, allowPrivateTargets: boolean): string | undefined {
  // A URL parser drops line breaks and escapes spaces: what is shown, logged and mailed would not be what is sent to.
  if (/[\s\p{Cc}]/u.test(url)) return 'must not hold spaces or control characters';
  try {
    parseTarget(url);
  } catch (error) {
    return (error as Error).message;
  }
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const isPrivate = host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && !isPublicAddress(host));
  return isPrivate && !allowPrivateTargets ? `${host} is not a public address` : undefined;
}
