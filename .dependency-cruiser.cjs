/** The architecture in rules: who may import whom (docs/architecture.md). Arrows never point up. */
const folders = [
  'api',
  'workflows',
  'activities',
  'worker',
  'domain',
  'documents',
  'platform',
  'console',
  'sdk',
  'dev',
  'bench',
  'test',
];
const only = (...allowed) => `^(${folders.filter((folder) => !allowed.includes(folder)).join('|')})/`;

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Two files that need each other are one subject, or hide a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'platform-knows-nothing-of-ours',
      comment: 'Technical ground: it would serve any product.',
      severity: 'error',
      from: { path: '^platform/' },
      to: { path: only('platform') },
    },
    {
      name: 'documents-knows-nothing-of-ours',
      comment: 'The engine is a library: bytes in, plain objects out; no database, no HTTP, no Temporal.',
      severity: 'error',
      from: { path: '^documents/' },
      to: { path: only('documents') },
    },
    {
      name: 'engine-libraries-stay-in-documents',
      comment:
        'Native image and OCR code runs in the engine’s child processes and nowhere else (pdf-lib also writes invoices).',
      severity: 'error',
      from: {
        path: '^(api|workflows|activities|worker|domain|platform|console|sdk|dev)/',
        pathNot: '^domain/finance/',
      },
      to: { path: 'node_modules/(sharp|tesseract\\.js|pdf-lib|onnxruntime-node|@hyzyla/pdfium)/' },
    },
    {
      name: 'domain-knows-neither-http-nor-temporal',
      comment: 'Rules and services are called by the API, by activities and by scripts alike.',
      severity: 'error',
      from: { path: '^domain/' },
      to: { path: `${only('domain', 'platform')}|node_modules/(@temporalio|express|undici)/` },
    },
    {
      name: 'contracts-import-zod-only',
      comment: 'Wire schemas are shared by everyone, workflows included, and so may depend on nothing.',
      severity: 'error',
      from: { path: '^domain/contracts/' },
      to: { pathNot: '^domain/contracts/|node_modules/zod/' },
    },
    {
      name: 'areas-meet-at-their-index',
      comment: 'Another area of the domain is used through its index only.',
      severity: 'error',
      from: { path: '^domain/([^/]+)/' },
      to: { path: '^domain/[^/]+/', pathNot: ['^domain/$1/', '^domain/contracts/', '^domain/[^/]+/index\\.ts$'] },
    },
    {
      name: 'rules-are-pure',
      comment:
        'A *.rules.ts file decides; it reads no clock, no row, no socket. Workflows import it. temporal-polyfill (calendars and time zones) and croner (cron expressions) are computation only: the same answer for the same input.',
      severity: 'error',
      from: { path: '\\.rules\\.ts$' },
      to: { pathNot: ['\\.rules\\.ts$', '^domain/contracts/', 'node_modules/(temporal-polyfill|croner)/'] },
    },
    {
      name: 'workflows-reach-no-io',
      comment: 'Workflow code is replayed: it sees contracts, rules, and activities as types.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        dependencyTypesNot: ['type-only'],
        pathNot: [
          '^workflows/',
          '^domain/contracts/',
          '\\.rules\\.ts$',
          'node_modules/(@temporalio/(workflow|common)|zod)/',
        ],
      },
    },
    {
      name: 'activities-are-thin',
      comment: 'Activities join Temporal to the domain, the engine and the platform.',
      severity: 'error',
      from: { path: '^activities/' },
      to: { path: only('activities', 'domain', 'documents', 'platform') },
    },
    {
      name: 'worker-is-not-api',
      comment: 'The worker composes everything but the HTTP face.',
      severity: 'error',
      from: { path: '^worker/' },
      to: { path: '^(api|console|dev|test|bench)/' },
    },
    {
      name: 'api-starts-workflows-by-name',
      comment: 'The API knows workflows by the names in domain/contracts; it never runs their code, nor the engine’s.',
      severity: 'error',
      from: { path: '^api/' },
      to: { path: only('api', 'domain', 'platform', 'console') },
    },
    {
      name: 'console-is-templates',
      comment: 'Pages are functions from plain values to HTML; what they show, the API has found out before.',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: only('console', 'platform'), pathNot: '^domain/contracts/' },
    },
    {
      name: 'sdk-stands-alone',
      comment: 'Customers install it; it brings nothing of ours.',
      severity: 'error',
      from: { path: '^sdk/' },
      to: { path: only('sdk') },
    },
    {
      name: 'dev-seeds-through-the-domain',
      comment: 'The development stack starts processes and seeds rows (docs/decisions/0002).',
      severity: 'error',
      from: { path: '^dev/' },
      to: { path: only('dev', 'platform', 'domain') },
    },
    {
      name: 'nothing-imports-tests',
      comment: 'Product code does not know that it is tested.',
      severity: 'error',
      from: { pathNot: '^(test|bench)/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'not-to-dev-dep',
      comment: 'What runs in production is installed in production.',
      severity: 'error',
      from: { path: '^(api|workflows|activities|worker|domain|documents|platform|console|sdk)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
