import type { DocumentRequestInput } from '../domain/contracts/workflows.ts';
import { documentRequest } from './document-request.ts';

/** One extraction of one document. */
export function extractDocument(input: DocumentRequestInput): Promise<{ status: 'completed' | 'failed' }> {
  return documentRequest(input, (engine) => ({
    page: (page) => engine.readPage(input, page),
    async finish(steps) {
      await steps.classify?.(input);
      await steps.extract(input);
      await steps.validate(input);
    },
  }));
}
