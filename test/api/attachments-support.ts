import { request } from 'node:http';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { statement } from '../../platform/db/statement.ts';
import { startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

export interface Item {
  id: number;
  work_item_id: string;
}

interface Sent {
  ref?: string | number;
  token?: string;
  name?: string;
  type?: string;
  headers?: Record<string, string>;
}

export interface RawAnswer {
  status: number;
  code: string | undefined;
  field: string | undefined;
}

const BOUNDARY = '----ours';
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
export const head = (name: string, field = 'file') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
export const text = (field: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\nx`;
export const TAIL = `\r\n--${BOUNDARY}--\r\n`;

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const ROWS = statement(`select blob_key from work_item_attachments where client_id = $1`);
const UNCLAIMED = statement(`select blob_key from unclaimed_blobs`);

/** The body as it came, whatever its type. */
export function bytesOf(res: NodeJS.ReadableStream, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  res.on('data', (chunk: Buffer) => chunks.push(chunk));
  res.on('end', () => {
    done(null, Buffer.concat(chunks));
  });
}

/** The API with one work item to hang files on. */
export class AttachmentsFixture {
  readonly api: ApiFixture;
  readonly key: string;
  readonly owner: string;
  item: Item = { id: 0, work_item_id: '' };

  private constructor(api: ApiFixture, key: string, owner: string) {
    this.api = api;
    this.key = key;
    this.owner = owner;
  }

  static async start(): Promise<AttachmentsFixture> {
    const api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
    const fixture = new AttachmentsFixture(api, await api.acme.key(), await api.acme.token());
    fixture.item = await fixture.newItem();
    return fixture;
  }

  async newItem(): Promise<Item> {
    const answer = await this.api.act(this.key, { action: 'create-work-item', item_type: 'job', title: 'Pump' });
    return answer.body.data as Item;
  }

  path(ref: string | number = this.item.work_item_id): string {
    return `/api/v1/work-items/${String(ref)}/attachments`;
  }

  upload(bytes: Buffer, { ref, token = this.owner, name = 'pump.png', type, headers = {} }: Sent = {}) {
    return this.api
      .http()
      .post(this.path(ref))
      .set({ Authorization: `Bearer ${token}`, ...headers })
      .attach('file', bytes, type === undefined ? { filename: name } : { filename: name, contentType: type });
  }

  get(address: string, token = this.owner) {
    return this.api
      .http()
      .get(address)
      .set('Authorization', `Bearer ${token}`)
      .buffer(true)
      .parse(bytesOf as never);
  }

  /** Begins to send a form as no library would. */
  open(headers: Record<string, string> = {}, url = this.api.url) {
    return request(`${url}${this.path()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.owner}`, 'content-type': MULTIPART, ...headers },
    });
  }

  /** Sends it whole, or with `isOpen` no more than these parts of it. */
  sendRaw(
    parts: readonly (string | Buffer)[],
    { headers, url, isOpen = false }: { headers?: Record<string, string>; url?: string; isOpen?: boolean } = {},
  ): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const sent = this.open(headers, url);
      sent.on('error', reject).on('response', (res) => {
        bytesOf(res, (_error, body) => {
          const { error } = JSON.parse(body.toString()) as { error?: { code: string; details?: { field: string }[] } };
          resolve({ status: res.statusCode ?? 0, code: error?.code, field: error?.details?.[0]?.field });
          sent.destroy();
        });
      });
      for (const part of parts) sent.write(part);
      if (isOpen) sent.flushHeaders();
      else sent.end();
    });
  }

  unclaimed() {
    return this.api.services.system.query(UNCLAIMED);
  }

  /** Files in the blob store. */
  blobs(): string[] {
    return readdirSync(join(this.api.services.config.BLOB_DIR, 'attachments', String(this.api.acme.clientId)));
  }

  /** What is stored, or noted, that no row speaks of. */
  async left(): Promise<{ unclaimed: number; blobs: number }> {
    const rows = await this.api.services.system.query(ROWS, [this.api.acme.clientId]);
    return { unclaimed: (await this.unclaimed()).length, blobs: this.blobs().length - rows.length };
  }
}

export const NOTHING = { unclaimed: 0, blobs: 0 };
