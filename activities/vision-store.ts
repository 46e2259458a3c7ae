import type { EInvoice, PageText } from '../documents/index.ts';
import type { ExtractDocumentInput } from '../domain/contracts/workflows.ts';
import { visionFolder } from '../domain/vision/index.ts';
import type { BlobStore } from '../platform/blobs.ts';
import { storableJson } from '../platform/storable-json.ts';

/**
 * What the steps of one call leave for each other in the blob store, under names that follow from the call: a step that is
 * run twice writes the same again, and history carries ids only.
 */
export class VisionStore {
  readonly #blobs: BlobStore;
  readonly #folder: string;

  constructor(blobs: BlobStore, { request_id }: Pick<ExtractDocumentInput, 'request_id'>) {
    this.#blobs = blobs;
    this.#folder = visionFolder(request_id);
  }

  has(name: string): Promise<boolean> {
    return this.#blobs.exists(this.key(name));
  }

  async json<T>(name: string): Promise<T> {
    return JSON.parse(Buffer.from(await this.#blobs.get(this.key(name))).toString('utf8')) as T;
  }

  async putJson(name: string, value: unknown): Promise<void> {
    await this.#blobs.put(this.key(name), Buffer.from(storableJson(value)));
  }

  async bytes(name: string): Promise<Uint8Array> {
    return this.#blobs.get(this.key(name));
  }

  async putBytes(name: string, bytes: Uint8Array): Promise<void> {
    await this.#blobs.put(this.key(name), bytes);
  }

  /** The words of the call's pages, in order. */
  pages(count: number): Promise<PageText[]> {
    return this.wordsOf(Array.from({ length: count }, (_, index) => index + 1));
  }

  /** The same of some of them. */
  wordsOf(pages: readonly number[]): Promise<PageText[]> {
    return Promise.all(pages.map((page) => this.json<PageText>(pageName(page))));
  }

  /** What the file says as an e-invoice, where it is one. */
  async einvoice(): Promise<EInvoice | undefined> {
    return (await this.has(EINVOICE)) ? this.json<EInvoice>(EINVOICE) : undefined;
  }

  key(name: string): string {
    return `${this.#folder}/${name}`;
  }
}

export const pageName = (page: number): string => `page-${String(page)}.json`;
export const regionsName = (page: number): string => `regions-${String(page)}.json`;
export const cutName = (page: number, index: number, kind: 'png' | 'json'): string =>
  `cut-${String(page)}-${String(index)}.${kind}`;
export const EINVOICE = 'einvoice.json';
export const ANSWER = 'answer.json';
