import busboy from 'busboy';
import type { Busboy, FileInfo } from 'busboy';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { ApiError } from '../../domain/contracts/errors.ts';

/** The form field that holds the file. */
export const FILE_FIELD = 'file';

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 65_536;
/** What boundaries, part headers and the other fields may add to the file. */
const MAX_OVERHEAD_BYTES = 1_048_576;

export interface FilePart {
  /** As the sender wrote it, but for a path before it. */
  fileName: string;
  bytes: Readable;
}

export interface FormLimits {
  fileBytes: number;
  timeoutMs: number;
}

export interface FormSink<Stored> {
  /** Takes the file as it arrives. Its stream fails where the body does. */
  store(part: FilePart): Promise<Stored>;
  /** Undoes `store`, where the rest of the body turned out to be refused. */
  discard(stored: Stored): Promise<void>;
}

/**
 * Reads a multipart/form-data body with exactly one file. As for any body, the refusal comes as soon as there is a reason
 * for one, and what is still to come is read and dropped.
 */
export function readForm<Stored>(
  req: IncomingMessage,
  res: ServerResponse,
  limits: FormLimits,
  sink: FormSink<Stored>,
): Promise<{ fields: Record<string, string>; file: Stored }> {
  checkHead(req, limits.fileBytes);
  const parser = parserOf(req, limits.fileBytes);
  if (req.headers.expect !== undefined) res.writeContinue();
  return new Promise((resolve, reject) => {
    const reader = new FormReader(req, parser, sink, { resolve, reject });
    reader.start(limits);
  });
}

function checkHead({ headers }: IncomingMessage, fileBytes: number): void {
  const length = Number(headers['content-length'] ?? 0);
  if (headers['transfer-encoding'] === undefined && length === 0) throw ApiError.badRequest(FILE_FIELD, 'is required');
  if (!/^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be a form: send Content-Type: multipart/form-data.');
  }
  if ((headers['content-encoding']?.toLowerCase() ?? 'identity') !== 'identity') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'A form must come without Content-Encoding.');
  }
  if (length > fileBytes + MAX_OVERHEAD_BYTES) throw tooLarge(fileBytes);
}

function parserOf({ headers }: IncomingMessage, fileBytes: number): Busboy {
  try {
    return busboy({
      headers,
      // Browsers and curl send names as UTF-8.
      defParamCharset: 'utf8',
      limits: {
        files: 1,
        // One more than allowed: the parser says "limit" for a file that just reaches it.
        fileSize: fileBytes + 1,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        parts: MAX_FIELDS + 1,
        headerPairs: 20,
      },
    });
  } catch (error) {
    throw new ApiError('BAD_REQUEST', 'The form has no boundary.', { cause: error });
  }
}

interface Settle<Stored> {
  resolve(form: { fields: Record<string, string>; file: Stored }): void;
  reject(error: unknown): void;
}

/** One body being read. */
class FormReader<Stored> {
  readonly #req: IncomingMessage;
  readonly #parser: Busboy;
  readonly #sink: FormSink<Stored>;
  readonly #settle: Settle<Stored>;
  readonly #fields = new Map<string, string>();
  #file: Promise<Stored> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDone = false;

  constructor(req: IncomingMessage, parser: Busboy, sink: FormSink<Stored>, settle: Settle<Stored>) {
    this.#req = req;
    this.#parser = parser;
    this.#sink = sink;
    this.#settle = settle;
  }

  start({ fileBytes, timeoutMs }: FormLimits): void {
    const refuse = (refusal: ApiError) => (): void => {
      this.#refuse(refusal);
    };
    this.#timer = setTimeout(refuse(new ApiError('REQUEST_TIMEOUT', 'The body did not arrive in time.')), timeoutMs);
    this.#parser
      .on('file', (name, bytes, { filename = '' }: Partial<FileInfo>) => {
        // Its failure reaches who reads it; without a listener it would end the process where nobody does yet.
        bytes.on('error', () => undefined).on('limit', refuse(tooLarge(fileBytes)));
        this.#take(name, { fileName: filename, bytes });
      })
      .on('field', (name, value, info) => {
        this.#note(name, value, info.nameTruncated || info.valueTruncated);
      })
      .on(
        'filesLimit',
        refuse(ApiError.badRequest(FILE_FIELD, 'must be one file: send the others in calls of their own')),
      )
      .on('fieldsLimit', refuse(malformed('has too many fields')))
      .on('partsLimit', refuse(malformed('has too many parts')))
      .on('error', refuse(malformed('is not well-formed, or did not arrive whole')))
      .on('close', () => {
        this.#finish();
      });
    const broken = refuse(new ApiError('BAD_REQUEST', 'The body did not arrive whole.'));
    this.#req.on('error', broken).on('close', () => {
      if (!this.#req.complete) broken();
    });
    this.#req.pipe(this.#parser);
  }

  #take(name: string, { fileName, bytes }: FilePart): void {
    if (name !== FILE_FIELD) {
      bytes.resume();
      this.#refuse(ApiError.badRequest(name, `is not a known field; the file goes into ${FILE_FIELD}`));
      return;
    }
    this.#file = this.#sink.store({ fileName: unescaped(fileName), bytes });
    this.#file.catch((error: unknown) => {
      this.#refuse(error);
    });
  }

  #note(name: string, value: string, isCut: boolean): void {
    if (isCut) this.#refuse(malformed('has a field that is too long'));
    else if (name === FILE_FIELD) this.#refuse(ApiError.badRequest(FILE_FIELD, 'must be a file, with a filename'));
    else if (this.#fields.has(name)) this.#refuse(ApiError.badRequest(name, 'is given more than once'));
    else this.#fields.set(name, value);
  }

  #finish(): void {
    if (this.#isDone) return;
    if (this.#file === undefined) {
      this.#refuse(ApiError.badRequest(FILE_FIELD, 'is required'));
      return;
    }
    void this.#file.then(
      (file) => {
        if (!this.#end()) return;
        this.#settle.resolve({ fields: Object.fromEntries(this.#fields), file });
      },
      () => undefined,
    );
  }

  #refuse(refusal: unknown): void {
    if (!this.#end()) return;
    this.#req.unpipe(this.#parser);
    this.#parser.destroy();
    // What still comes is read and dropped: a client that is in the middle of sending can then read its refusal.
    this.#req.resume();
    void this.#undo().then(() => {
      this.#settle.reject(refusal);
    });
  }

  /** Waits for the file's fate, so that nothing is left when the refusal is told. */
  async #undo(): Promise<void> {
    const stored = await this.#file?.catch(() => undefined);
    if (stored !== undefined) await this.#sink.discard(stored).catch(() => undefined);
  }

  /** Whether this is the first end. */
  #end(): boolean {
    if (this.#isDone) return false;
    this.#isDone = true;
    clearTimeout(this.#timer);
    return true;
  }
}

/** Browsers write these three characters of a name so (HTML, "Multipart form data"); no name needs the last two. */
function unescaped(name: string): string {
  return name.replaceAll('%22', '"').replaceAll(/%0[AD]/gi, '');
}

function malformed(what: string): ApiError {
  return new ApiError('BAD_REQUEST', `The form ${what}.`);
}

function tooLarge(bytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The file is larger than ${String(bytes)} bytes.`);
}
