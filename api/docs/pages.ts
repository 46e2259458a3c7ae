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
      { path: '/docs/guides/quick-start', file: 'docs/guides/quick-start.md' },
    ],
  },
  {
    name: 'Guides',
    pages: [
      guide('authentication'),
      guide('api-keys'),
      guide('oauth'),
      guide('public-data'),
      guide('webhooks'),
      guide('document-ai'),
      guide('agents'),
      guide('errors'),
      guide('limits'),
      guide('idempotency'),
      guide('versioning'),
      guide('reliability'),
    ],
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
