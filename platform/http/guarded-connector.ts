import { lookup as systemLookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from './addresses.ts';

/** The target's address is one that this process may not talk to. */
export class BlockedTargetError extends Error {
  override readonly name = 'BlockedTargetError';
  readonly code = 'ERR_TARGET_BLOCKED';
}

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export interface GuardOptions {
  allowPrivateTargets: boolean;
  connectTimeoutMs: number;
  /** The system's resolver unless given. */
  resolve?: Resolve | undefined;
}

/**
 * Opens connections to public addresses only. The check sits where the socket asks for an address: the addresses that
 * were checked are those that are connected to, so a name that changes its mind between check and use gains nothing.
 */
export function guardedConnector(options: GuardOptions): buildConnector.connector {
  const { allowPrivateTargets, connectTimeoutMs, resolve = systemResolve } = options;
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    keepAlive: true,
    allowH2: false,
    lookup: guardedLookup(resolve, allowPrivateTargets),
  });
  return (target, callback) => {
    // A literal address is connected to without any look-up, so it is checked here.
    const literal = target.hostname.replace(/^\[|\]$/g, '');
    if (!allowPrivateTargets && isIP(literal) !== 0 && !isPublicAddress(literal)) {
      callback(blocked(literal), null);
      return;
    }
    connect(target, callback);
  };
}

/** One private address among several is enough to refuse: which one would be used is not ours to say. */
function guardedLookup(resolve: Resolve, allowPrivateTargets: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const refused = allowPrivateTargets ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
        const [first] = addresses;
        if (refused !== undefined) callback(blocked(hostname), '', 0);
        else if (first === undefined) callback(notFound(hostname), '', 0);
        else if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 0),
    );
  };
}

const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });

function blocked(host: string): BlockedTargetError {
  return new BlockedTargetError(`${host} is not a public address`);
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' });
}
