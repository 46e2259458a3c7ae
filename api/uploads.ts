import type { Request, Response } from 'express';
import { MAX_ATTACHMENT_BYTES } from '../domain/contracts/attachments.ts';
import { discardUpload, storeUpload } from '../domain/attachments/index.ts';
import type { Upload } from '../domain/attachments/index.ts';
import { bodyTimeoutOf } from './middleware/json-body.ts';
import { readForm } from './http/multipart.ts';
import type { Call, Outcome } from './operation.ts';

/**
 * Takes in the file of a form and runs `work` with it. Whatever `work` did not make a row of is removed again, however
 * it ended: it failed, or it gave the answer of an earlier request.
 */
export async function withUpload(
  req: Request,
  res: Response,
  { caller, services }: Call,
  work: (upload: Upload, fields: Record<string, string>) => Promise<Outcome<unknown>>,
): Promise<Outcome<unknown>> {
  const { clientId } = caller;
  const discard = ({ blobKey }: Upload): Promise<void> => discardUpload(services, clientId, blobKey);
  const limits = { fileBytes: MAX_ATTACHMENT_BYTES, timeoutMs: bodyTimeoutOf(req) };
  const { fields, file } = await readForm(req, res, limits, {
    store: (part) => storeUpload(services, clientId, part),
    discard,
  });
  try {
    return await work(file, fields);
  } finally {
    // The answer stands whether or not this succeeds; what stays is found by maintenance.
    await discard(file).catch((error: unknown) => {
      services.log.warn({ err: error }, 'an upload was not removed');
    });
  }
}
