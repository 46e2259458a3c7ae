import { parseArgs } from 'node:util';
import { orderProblem, pipelineActions, problemText } from './pipeline/order.ts';
import { documentTypes, type PipelineStep } from './types.ts';

const USAGE = `npm run read -- FILE [--json] [--overlay OUT.png] [--type TYPE] [--language xx] [--page N] [--steps A,B]

  --json       everything as JSON: fields with boxes, line items, checks, words
  --overlay    draws the boxes over the page; of several pages each gets its file (OUT-1.png, OUT-2.png, ...)
  --type       one of ${documentTypes.join(', ')}
  --language   ISO 639-1, where the reader's own guess is wrong
  --page       draws this page only
  --steps      a pipeline, in order: some of ${pipelineActions.join(',')}; a result for each document found`;

/** What the caller did wrong: told in one line, without a stack. */
export class UsageError extends Error {}

export interface Order {
  path: string;
  json: boolean;
  overlay?: string;
  type?: string;
  language?: string;
  page?: number;
  steps?: PipelineStep['action'][];
}

/** The command line of `npm run read`. Throws a UsageError that says what is wrong with it. */
export function parseOrder(args: string[]): Order {
  const { values, positionals } = parsed(args);
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError(USAGE);
  const { type, language, overlay } = values;
  if (type !== undefined && !documentTypes.some((known) => known === type)) {
    throw new UsageError(`--type ${type}: no such type. Types: ${documentTypes.join(', ')}`);
  }
  if (language !== undefined && !/^[a-z]{2}$/.test(language)) {
    throw new UsageError(`--language ${language}: two small letters are expected, as in de`);
  }
  const page = values.page === undefined ? undefined : Number(values.page);
  if (page !== undefined && !(Number.isInteger(page) && page > 0)) {
    throw new UsageError(`--page ${String(values.page)}: a page number is expected, from 1`);
  }
  return {
    path,
    json: values.json,
    ...(overlay === undefined ? {} : { overlay }),
    ...(type === undefined ? {} : { type }),
    ...(language === undefined ? {} : { language }),
    ...(page === undefined ? {} : { page }),
    ...(values.steps === undefined ? {} : { steps: stepsOf(values.steps) }),
  };
}

const OPTIONS = {
  json: { type: 'boolean', default: false },
  overlay: { type: 'string' },
  type: { type: 'string' },
  language: { type: 'string' },
  page: { type: 'string' },
  steps: { type: 'string' },
} as const;

function stepsOf(list: string): PipelineStep['action'][] {
  const names = list.split(',');
  const problem = orderProblem(names);
  if (problem !== undefined) throw new UsageError(`--steps ${list}: ${problemText(problem)}`);
  return pipelineActions.filter((action) => names.includes(action)).sort((x, y) => names.indexOf(x) - names.indexOf(y));
}

function parsed(args: string[]): ReturnType<typeof parseArgs<{ allowPositionals: true; options: typeof OPTIONS }>> {
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}
