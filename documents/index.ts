export { createDocumentEngine } from './engine.ts';
export { needsOf, orderProblem, type OrderProblem } from './pipeline/order.ts';
export { combineDocuments, type CombinedExtraction } from './pipeline/response.ts';
export { runPipeline } from './pipeline/run.ts';
export { DocumentError, type DocumentErrorCode } from './errors.ts';
export type { EInvoice, EInvoiceLine } from './einvoice/types.ts';
export type { CustomField, Lesson, LessonField, ModelDefinition, TrainedModel } from './learn/types.ts';
export * from './types.ts';
