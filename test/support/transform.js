import swc from '@swc/jest';

/** Globals that loops over pixels and words look up, and that no test replaces. */
const CONSTANT = ['Math', 'Number'];

/**
 * TypeScript by swc, with some globals made constants of each module. Jest runs modules in a context of their own, where
 * to look up a global costs more than to use it: what computes over pixels takes ten times as long there otherwise.
 */
export function createTransformer(options) {
  const typescript = swc.createTransformer(options);
  const withConstants = (source) => {
    const used = CONSTANT.filter((name) => source.includes(`${name}.`));
    return used.length === 0 ? source : `const { ${used.join(', ')} } = globalThis; ${source}`;
  };
  return {
    ...typescript,
    process: (source, ...rest) => typescript.process(withConstants(source), ...rest),
    processAsync: (source, ...rest) => typescript.processAsync(withConstants(source), ...rest),
    getCacheKey: (source, ...rest) => typescript.getCacheKey(withConstants(source), ...rest),
  };
}

export default { createTransformer };
