import type { EInvoice } from '../einvoice/types.ts';
import type { DocumentErrorCode } from '../errors.ts';
import type { Computation, CropResult, DocumentInfo, Limits, PageText } from '../types.ts';

/** To a child that computes: a pure function of the engine by name, and its arguments as JSON. */
export interface ComputeRequest {
  id: number;
  kind: 'compute';
  name: Computation;
  input: string;
}

/** To a child that reads files. */
export type ChildRequest =
  | { id: number; kind: 'inspect'; bytes: Uint8Array; limits: Limits }
  | { id: number; kind: 'einvoice'; bytes: Uint8Array }
  | { id: number; kind: 'crop'; bytes: Uint8Array; page: number }
  | { id: number; kind: 'read'; bytes: Uint8Array; page: number; language?: string };

export type ChildAnswer =
  | { id: number; ok: true; value: DocumentInfo | PageText | CropResult | EInvoice | string | undefined }
  | { id: number; ok: false; code: DocumentErrorCode; message: string; field?: string | undefined };
