/** Why a scenario says nothing of a server that offers tools only, keeps no session and is reached by POST only. */
const PROMPTS = 'needs prompts';
const RESOURCES = 'needs resources';
const LOGGING = 'needs the optional capability `logging`, whose level is kept per session';
const ASKING = 'the server asks the client during a call and is answered in another request: needs a session';
const SESSION = 'needs a session';
const TASKS = 'an extension, not offered: a call is answered when its action is done';

const REASONS: Readonly<Record<string, string>> = {
  'completion-complete': 'completes arguments of prompts and resource templates: needs either',
  'logging-set-level': LOGGING,
  'tools-call-with-logging': LOGGING,
  'tools-call-sampling': ASKING,
  'tools-call-elicitation': ASKING,
  'elicitation-sep1034-defaults': ASKING,
  'elicitation-sep1330-enums': ASKING,
  'server-session-lifecycle': SESSION,
  'server-sse-polling': 'needs a session and the stream of GET',
  'input-required-result-non-tool-request': PROMPTS,
  'sep-2164-resource-not-found': RESOURCES,
  'http-custom-header-server-validation': 'needs a tool that wants a parameter repeated in a header (`x-mcp-header`)',
};

/** Scenarios of which a part applies: the checks that do. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  caching: ['sep-2549-tools-list-caching-hints', 'sep-2549-ttl-non-negative', 'sep-2549-cache-scope-valid'],
};

/** Why a scenario does not apply to us; undefined where it does. */
export function whyNotApplicable(scenario: string): string | undefined {
  if (scenario.startsWith('tasks-')) return TASKS;
  if (scenario.startsWith('prompts-')) return PROMPTS;
  if (scenario.startsWith('resources-')) return RESOURCES;
  return REASONS[scenario];
}

/** Whether a check of a scenario says something of us. */
export function isApplicable(scenario: string, check: string): boolean {
  return PARTS[scenario]?.includes(check) ?? true;
}

/** What to say of a scenario that applies in part. */
export function partOf(scenario: string): string {
  return PARTS[scenario] === undefined ? '' : 'in part: its checks of prompts and resources need these';
}
