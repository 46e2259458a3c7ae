import { within } from '../http/shared-json.ts';
import type { SharedJson } from '../http/shared-json.ts';
import type { Era } from './revisions.ts';
import { HANDSHAKE_REVISIONS, REVISIONS } from './revisions.ts';

export const SERVER_INFO = { name: 'business-platform', title: 'Business Platform', version: '1.0.0' } as const;

/** How long a client may keep the list of tools: it changes with a release, and when a deprecated action ends. */
const CACHE_MS = 300_000;

const CAPABILITIES = { tools: { listChanged: false } } as const;
const INSTRUCTIONS =
  'Each tool is an action of the Public Data API and acts on the data of the API key’s client. Tools take ids, people say names ' +
  'and numbers; the tools that list find both (search), so call them first: get-active-users, get-employees and list-contacts by ' +
  'name, list-work-items by words of the title, list-invoices and its like by a number such as INV-000004. A work_item_id may be ' +
  'a number such as JOB-000012 as well. get-current-user says who "me" is and what day it is. A refusal says which field is ' +
  'wrong and why; correct it and call again.';

const META = `"_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': SERVER_INFO })}`;
const COMPLETE = `"resultType":"complete",${META}`;

/** A result's JSON text with what its revision has every result say. */
export function resultIn(era: Era, text: string): string {
  return era === 'handshake' ? text : joined(COMPLETE, text);
}

/** The same for one that may be kept, and is alike for every caller. */
export function cacheableIn(era: Era, text: string): string {
  return era === 'handshake' ? text : resultIn(era, joined(keepFor('public'), text));
}

/** The result of a list from its members; `public`: as it is alike for every caller, all of them may keep it. */
export function listIn(era: Era, members: SharedJson, scope: 'public' | 'private'): SharedJson {
  return within(era === 'handshake' ? '{' : `{${COMPLETE},${keepFor(scope)},`, members, '}');
}

function keepFor(scope: 'public' | 'private'): string {
  return `"ttlMs":${String(CACHE_MS)},"cacheScope":"${scope}"`;
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
