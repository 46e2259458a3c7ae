import { ApplicationFailure } from '@temporalio/activity';
import { DocumentError } from '../documents/index.ts';
import type { DocumentFailureCode } from '../domain/contracts/vision.ts';
import { storableText } from '../platform/storable-json.ts';

/** A document that can't be read will not be readable a second later: its refusal is final. A lack of ours is not. */
export async function refusable<T>(
  work: () => Promise<T>,
  words: (message: string) => string = (message) => message,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DocumentError) throw refusal(error.code, words(error.message));
    throw error;
  }
}

export function refusal(code: DocumentFailureCode, message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(storableText(message), code);
}
