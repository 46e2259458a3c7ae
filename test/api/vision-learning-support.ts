import { PDFDocument, StandardFonts } from 'pdf-lib';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateApiKey } from '../../domain/contracts/api-keys.ts';
import { createApiKey } from '../../domain/keys/index.ts';
import { book } from '../../domain/vision/index.ts';
import { Tenant } from '../worker/tenant.ts';
import type { PlatformProcesses } from '../chaos/platform-processes.ts';

export interface Print {
  text: string;
  x: number;
  /** From the top of the page. */
  y: number;
  size?: number;
}

/** A page with a text layer: what is printed is what is read. */
export async function pageOf(prints: readonly Print[]): Promise<string> {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([595, 842]);
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const { text, x, y, size = 10 } of prints) page.drawText(text, { x, y: 842 - y, size, font });
  return Buffer.from(await pdf.save()).toString('base64');
}

export interface Policy {
  policy_number: string;
  holder: string;
  inception: string;
  premium: number;
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'];
const HOLDERS = ['Thandi Mokoena', 'Piet van Wyk', 'Grace Okafor', 'Liam Naidoo', 'Ana Ferreira', 'Sipho Dube'];

/** The n-th policy of one insurer, and its annotations. */
export function policy(n: number): Policy {
  return {
    policy_number: `BX-${String(4_100 + n * 37)}-${String.fromCharCode(65 + (n % 26))}`,
    holder: HOLDERS[n % HOLDERS.length] ?? '',
    inception: `2026-0${String(1 + (n % 9))}-${String(10 + n)}`,
    premium: 1_210.5 + n * 83,
  };
}

export function policyPage({ policy_number, holder, inception, premium }: Policy): Promise<string> {
  const [year = '', month = '', day = ''] = inception.split('-');
  return pageOf([
    { text: 'BAOBAB MUTUAL ASSURANCE', x: 60, y: 70, size: 18 },
    { text: 'Schedule of cover', x: 60, y: 100, size: 13 },
    { text: 'Certificate', x: 60, y: 150 },
    { text: policy_number, x: 220, y: 150 },
    { text: 'Life assured', x: 60, y: 172 },
    { text: holder, x: 220, y: 172 },
    { text: 'Cover begins', x: 60, y: 194 },
    { text: `${String(Number(day))} ${MONTHS[Number(month) - 1] ?? ''} ${year}`, x: 220, y: 194 },
    { text: 'Monthly instalment', x: 60, y: 216 },
    { text: `R ${premium.toLocaleString('en-US', { minimumFractionDigits: 2 })}`, x: 220, y: 216 },
    { text: 'This schedule is part of your contract. Keep it in a safe place.', x: 60, y: 300 },
    { text: 'Baobab Mutual Assurance Ltd, 3 Savanna Crescent, Polokwane 0700', x: 60, y: 780, size: 8 },
  ]);
}

export interface Bill {
  issuer: 'karoo' | 'atlantic';
  number: string;
  date: string;
  total: number;
  line?: string;
}

const ISSUERS = {
  karoo: { name: 'Karoo Windmill Services', address: '9 Kerk Street, Beaufort West 6970', vat: '4380261197', left: 60 },
  atlantic: { name: 'Atlantic Rope & Chain', address: '77 Dock Road, Cape Town 8001', vat: '4710093325', left: 320 },
} as const;

/** A tax invoice. Its number stands under a label that nobody else uses. */
export function billPage({ issuer, number, date, total, line = 'Yearly service of pump' }: Bill): Promise<string> {
  const { name, address, vat, left } = ISSUERS[issuer];
  const other = left === 60 ? 360 : 60;
  const net = total / 1.15;
  return pageOf([
    { text: name, x: left, y: 60, size: 16 },
    { text: address, x: left, y: 80 },
    { text: `VAT No: ${vat}`, x: left, y: 95 },
    { text: 'TAX INVOICE', x: other, y: 60, size: 16 },
    { text: 'Slip', x: other, y: 130 },
    { text: number, x: other + 90, y: 130 },
    { text: 'Date', x: other, y: 146 },
    { text: date, x: other + 90, y: 146 },
    { text: 'Bill to: Meridian Foods (Pty) Ltd', x: 60, y: 200 },
    { text: 'Description', x: 60, y: 260 },
    { text: 'Qty', x: 330, y: 260 },
    { text: 'Unit Price', x: 390, y: 260 },
    { text: 'Amount', x: 490, y: 260 },
    { text: line, x: 60, y: 280 },
    { text: '1', x: 330, y: 280 },
    { text: net.toFixed(2), x: 390, y: 280 },
    { text: net.toFixed(2), x: 490, y: 280 },
    { text: 'Subtotal', x: 390, y: 340 },
    { text: net.toFixed(2), x: 490, y: 340 },
    { text: 'VAT 15%', x: 390, y: 358 },
    { text: (total - net).toFixed(2), x: 490, y: 358 },
    { text: 'Total ZAR', x: 390, y: 376 },
    { text: total.toFixed(2), x: 490, y: 376 },
  ]);
}

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** A client of the platform under test, with a key of its own. */
export class LearningClient {
  readonly tenant: Tenant;
  readonly key: string;
  readonly #url: string;

  private constructor(tenant: Tenant, key: string, url: string) {
    this.tenant = tenant;
    this.key = key;
    this.#url = url;
  }

  static async create(platform: PlatformProcesses, url: string, slug: string): Promise<LearningClient> {
    const tenant = await Tenant.create(platform.database, slug);
    const input = CreateApiKey.parse({ key_name: slug, permissions: { '*': true }, rate_limit_per_minute: 5_000 });
    const { clientId, caller, vault } = tenant;
    const { apiKey } = await tenant.tenants.transaction(clientId, (tx) =>
      createApiKey(tx, caller, input, { vault, now: Date.now() }),
    );
    await tenant.system.transaction((tx) => book(tx, { clientId, reference: 'test', step: 'grant', amount: 500 }));
    return new LearningClient(tenant, apiKey, url);
  }

  async call(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await fetch(`${this.#url}/api/v1/vision/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  async extract(file: string, options: Record<string, unknown> = {}): Promise<Extracted> {
    const { status, body } = await this.call('POST', 'extract', { file_base64: file, ...options });
    if (status !== 200) throw new Error(`extraction answered ${String(status)}: ${JSON.stringify(body)}`);
    return body as unknown as Extracted;
  }

  /** The model once its training has ended. */
  async trained(id: string): Promise<Record<string, unknown>> {
    const deadline = Date.now() + 90_000;
    for (;;) {
      const { body } = await this.call('GET', `models/${id}`);
      const model = body['model'] as Record<string, unknown>;
      if (model['status'] !== 'training') return model;
      if (Date.now() > deadline) throw new Error(`still in training: ${JSON.stringify(model)}`);
      await sleep(100);
    }
  }

  close(): Promise<void> {
    return this.tenant.close();
  }
}

export interface Extracted {
  request_id: string;
  document_type: string;
  fields: Record<string, { value: unknown; confidence: number; corrected?: boolean } | undefined>;
  line_items: Record<string, { value: unknown }>[];
  validation: { gl_code_suggestions?: { line: number; gl_code: string; confidence: number }[] };
  credits_used: number;
}
