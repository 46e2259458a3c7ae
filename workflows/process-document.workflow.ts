import type { ProcessDocumentInput } from '../domain/contracts/workflows.ts';
import { documentRequest } from './document-request.ts';

/** One call that classifies, splits or crops, or chains such steps with extractions of what they find. */
export function processDocument(input: ProcessDocumentInput): Promise<{ status: 'completed' | 'failed' }> {
  return documentRequest(input, (engine) => ({
    async page(page) {
      if (input.reads) await engine.readPage(input, page);
      if (input.crops) await engine.cropPage(input, page);
    },
    finish: (steps) => steps.assemble(input),
  }));
}
