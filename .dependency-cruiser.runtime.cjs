const { options } = require('./.dependency-cruiser.cjs');

/** Rules over what is loaded at run time: type-only imports are erased before these look. */
module.exports = {
  forbidden: [
    {
      name: 'workflows-never-reach-node',
      comment: 'Not even through somebody else.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { reachable: true, path: '^(node:|platform/db|platform/http)|node_modules/(pg|@mikro-orm|express|undici)/' },
    },
  ],
  options: { ...options, tsPreCompilationDeps: false },
};
