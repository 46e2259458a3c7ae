export type DocumentErrorCode =
  | 'UNSUPPORTED_TYPE'
  | 'ENCRYPTED'
  | 'BROKEN'
  | 'TOO_LARGE'
  | 'TOO_MANY_PAGES'
  | 'EMPTY'
  | 'OUT_OF_RESOURCES'
  | 'TIMEOUT'
  | 'BAD_STEPS'
  | 'BAD_MODEL';

/** A refusal that the caller can act on. Its message may be shown to the customer. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly code: DocumentErrorCode;
  readonly field?: string;

  constructor(code: DocumentErrorCode, message: string, field?: string) {
    super(message);
    this.code = code;
    if (field !== undefined) this.field = field;
  }
}

/** The first line of what a library threw: the rest is its stack or advice to programmers. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0] ?? text;
}
