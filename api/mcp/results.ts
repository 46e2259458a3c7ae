import type { Era } from './revisions.ts';
import { HANDSHAKE_REVISIONS, REVISIONS } from './revisions.ts';

export const SERVER_INFO = { name: 'business-platform', title: 'Business Platform', version: '1.0.0' } as const;

/** How long a client may keep the list of tools: it changes with a release, and when a deprecated action ends. */
const CACHE_MS = 300_000;

const CAPABILITIES = { tools: { listChanged: false } } as const;
const INSTRUCTIONS =
  'Each tool is an action of the Public Data API and acts on the data of the API key’s client. Tools that list come first: ' +
  'they give the ids that the others take. A refusal says which field is wrong and why; correct it and call again.';

const META = `"_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': SERVER_INFO })}`;

/** A result's JSON text with what its revision has every result say. */
export function resultIn(era: Era, text: string): string {
  return era === 'handshake' ? text : joined(`"resultType":"complete",${META}`, text);
}

/** The same for a result that is alike for every caller, and may be kept. */
export function cacheableIn(era: Era, text: string): string {
  if (era === 'handshake') return text;
  return resultIn(era, joined(`"ttlMs":${String(CACHE_MS)},"cacheScope":"public"`, text));
}

export function initializeResult(wanted: string): unknown {
  return {
    protocolVersion: HANDSHAKE_REVISIONS.includes(wanted) ? wanted : HANDSHAKE_REVISIONS[0],
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: INSTRUCTIONS,
  };
}

export const discoverResult = { supportedVersions: REVISIONS, capabilities: CAPABILITIES, instructions: INSTRUCTIONS };

/** Members put before those of an object, both being JSON text. */
function joined(members: string, object: string): string {
  return object === '{}' ? `{${members}}` : `{${members},${object.slice(1)}`;
}
