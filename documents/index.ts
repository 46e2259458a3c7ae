export { createDocumentEngine } from './engine.ts';
export { DocumentError, type DocumentErrorCode } from './errors.ts';
export { defaultLimits } from './load/limits.ts';
export * from './types.ts';
