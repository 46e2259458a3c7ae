import type { Cut, DocumentEngine, FoundDocument, PageText, PipelineInput, PipelineStep } from '../types.ts';
import { checkSteps } from './assemble.ts';
import { needsOf } from './order.ts';

/**
 * Runs a pipeline over a file: reads what its steps need, then assembles the answer. For scripts; a service that reads
 * each page as a task of its own gathers the same input and calls `engine.assemble`.
 *
 * @throws DocumentError BAD_STEPS before anything is read; else what `inspect`, `readPage` and `crop` throw
 */
export async function runPipeline(
  engine: DocumentEngine,
  bytes: Uint8Array,
  steps: PipelineStep[],
  options: { language?: string; signal?: AbortSignal } = {},
): Promise<FoundDocument[]> {
  checkSteps(steps);
  const needs = needsOf(steps.map(({ action }) => action));
  const { pages: count } = await engine.inspect(bytes);
  const input: PipelineInput = { pages: [], cuts: [], einvoice: await engine.readEInvoice(bytes, options.signal) };
  for (let page = 1; page <= count; page++) {
    const text = needs.words ? await engine.readPage(bytes, page, options) : undefined;
    if (text) input.pages.push(text);
    if (needs.crops) input.cuts.push(...(await readCuts(engine, bytes, page, { ...options, text })));
  }
  return engine.assemble(steps, input);
}

async function readCuts(
  engine: DocumentEngine,
  bytes: Uint8Array,
  page: number,
  { text, ...options }: { language?: string; signal?: AbortSignal; text?: PageText | undefined },
): Promise<Cut[]> {
  const { images, regions } = await engine.crop(bytes, page, options);
  const cuts: Cut[] = [];
  for (const [index, region] of regions.entries()) {
    // A page with a text layer is read better as it is than from its picture.
    const read = region.whole_page
      ? (text ?? (await engine.readPage(bytes, page, options)))
      : await engine.readPage(images[index]!, 1, options);
    cuts.push({ ...region, page, text: read });
  }
  return cuts;
}
