/**
 * The relay's statements are look-ups by index, whatever the tables' statistics say. On a freshly filled table there are
 * none yet, and a prepared statement keeps the bad plan that it got then: so its sessions leave the other plans out.
 */
const SETTINGS = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off', 'jit=off'];

/** `databaseUrl` with the session settings of a relay. */
export function relaySessionUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const given = url.searchParams.get('options');
  const options = [...(given === null ? [] : [given]), ...SETTINGS.map((setting) => `-c ${setting}`)];
  url.searchParams.set('options', options.join(' '));
  return url.toString();
}
