/** The rule for a pipeline's steps. It imports nothing, so that an API can refuse a request by the same rule. */
export const pipelineActions = ['split', 'crop', 'classify', 'extract'] as const;
export type PipelineAction = (typeof pipelineActions)[number];

export interface OrderProblem {
  /** 1-based. */
  step: number;
  action: string;
  reason: string;
}

/** What may not come before an action, and why. */
const refusedBefore: Record<PipelineAction, Partial<Record<PipelineAction, string>>> = {
  split: {
    crop: 'a paper that was cut out is one document and has no pages to split',
    classify: 'the file was classified as one document; put split before classify',
  },
  crop: { classify: 'the page was classified as one document; put crop before classify' },
  classify: {},
  extract: {},
};

/**
 * The first step that can't stand where it does; undefined for an order that makes sense. Each action at most once;
 * documents are found (split, then crop) before something is said of them (classify, then extract); nothing follows
 * extract.
 */
export function orderProblem(actions: string[]): OrderProblem | undefined {
  if (actions.length === 0) return { step: 1, action: '', reason: 'a pipeline has at least one step' };
  for (const [index, action] of actions.entries()) {
    const reason = problemAt(actions.slice(0, index), action);
    if (reason !== undefined) return { step: index + 1, action, reason };
  }
  return undefined;
}

function problemAt(before: string[], action: string): string | undefined {
  const known = pipelineActions.find((name) => name === action);
  if (!known) return `unknown action; the actions are ${pipelineActions.join(', ')}`;
  if (before.includes(known)) return `step ${String(before.indexOf(known) + 1)} does that already`;
  if (before.includes('extract')) return 'nothing can follow extract';
  const refused = refusedBefore[known];
  const cause = pipelineActions.find((name) => refused[name] !== undefined && before.includes(name));
  return cause && refused[cause];
}

/** "Step 2 (split): …". */
export const problemText = ({ step, action, reason }: OrderProblem): string =>
  `Step ${String(step)}${action === '' ? '' : ` (${action})`}: ${reason}.`;

/** What must be read before the steps can run: the words of each page, or its papers cut out and read one by one. */
export function needsOf(actions: string[]): { words: boolean; crops: boolean } {
  const crops = actions.includes('crop');
  return { words: !crops || actions.includes('split'), crops };
}
