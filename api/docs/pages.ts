/** One page of the documentation: a Markdown file of the repository and where it is served. */
export interface PageSource {
  path: string;
  file: string;
}

export const HOME = '/docs';

/** The groups of the navigation and their pages, in reading order. */
export const PAGE_GROUPS: readonly { name: string; pages: readonly PageSource[] }[] = [
  {
    name: 'Start',
    pages: [
      { path: HOME, file: 'docs/guides/index.md' },
      guide('quick-start'),
      guide('authentication'),
      guide('public-data'),
    ],
  },
  { name: 'Work', pages: [guide('work-items'), guide('collaboration'), guide('recurring-jobs'), guide('forms')] },
  { name: 'People and contacts', pages: [guide('users'), guide('people'), guide('attendance'), guide('contacts')] },
  { name: 'Money', pages: [guide('finance'), guide('auditor-export')] },
  { name: 'Automation and AI', pages: [guide('workflows'), guide('document-ai'), guide('agents')] },
  {
    name: 'Integration',
    pages: [
      guide('webhooks'),
      guide('event-payloads'),
      guide('inbound-webhooks'),
      { path: '/docs/events', file: 'docs/events.md' },
      guide('api-keys'),
      guide('oauth'),
    ],
  },
  {
    name: 'Rules for every call',
    pages: [guide('errors'), guide('limits'), guide('idempotency'), guide('versioning'), guide('reliability')],
  },
  {
    name: 'Changes',
    pages: [
      { path: '/docs/changelog', file: 'docs/changelog.md' },
      { path: '/docs/migrations/v1-to-v2', file: 'docs/migrations/v1-to-v2.md' },
    ],
  },
];

/** Pages that are made from the code and stand in the navigation too. */
export const REFERENCE_LINKS = [
  { path: '/docs/reference', title: 'API reference' },
  { path: '/docs/actions', title: 'Actions' },
  { path: '/docs/errors', title: 'Error codes' },
] as const;

function guide(name: string): PageSource {
  return { path: `/docs/guides/${name}`, file: `docs/guides/${name}.md` };
}
