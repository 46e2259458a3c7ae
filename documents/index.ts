export { createDocumentEngine } from './engine.ts';
export { DocumentError, type DocumentErrorCode } from './errors.ts';
export * from './types.ts';
