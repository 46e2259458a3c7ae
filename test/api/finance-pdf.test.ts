import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Response } from 'supertest';
import { openPdf } from '../../documents/pages/pdfium.ts';
import { pageGeometry } from '../../documents/pages/raster.ts';
import { readTextLayer } from '../../documents/pages/text-layer.ts';
import { Migration20261125090000_seller } from '../../platform/db/migrations/20261125090000_seller.ts';
import { DOCUMENT_TYPES } from '../../domain/contracts/finance.ts';
import type { DocumentType } from '../../domain/contracts/finance.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { actingAs } from './users-support.ts';

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  key = await api.acme.key();
});
afterAll(() => api.close());

const SELLER_COLUMNS = 'legal_name address tax_number registration_number phone email website bank_details'.split(' ');

/** What the migration does, to do it again. */
function sellerMigration(): string[] {
  const statements: string[] = [];
  Migration20261125090000_seller.prototype.up.call({ addSql: (sql: string) => statements.push(sql) } as never);
  return statements;
}

async function created(document_type: DocumentType, over: object = {}): Promise<number> {
  const answer = await api.act(key, {
    action: 'create-finance-document',
    document_type,
    contact_name: 'Kruger Farms',
    lines: [{ description: 'Service of the north pump', quantity: 2.5, unit_price: 450, tax_rate: 15 }],
    ...over,
  });
  expect(answer.status).toBe(200);
  return answer.body.data.id;
}
const issue = (document_type: DocumentType, document_id: number): Promise<Response> =>
  api.act(key, { action: 'issue-finance-document', document_type, document_id });
const pdf = (params: object, by = key): Promise<Response> =>
  api.act(by, { action: 'generate-finance-document-pdf', ...params });

/** The words of the file that an answer holds. */
async function wordsOf(answer: Response): Promise<string> {
  const file = await openPdf(Buffer.from(answer.body.data.pdf_base64, 'base64'));
  try {
    return file.withPage(0, (page) =>
      readTextLayer(file.module, page, pageGeometry(file.module, page))
        .words.map((word) => word.text)
        .join(' '),
    );
  } finally {
    file.close();
  }
}

describe('generate-finance-document-pdf', () => {
  it.each(DOCUMENT_TYPES)('makes a PDF of a draft %s, marked as one', async (document_type) => {
    const document_id = await created(document_type);
    const answer = await pdf({ document_type, document_id });
    expect(answer.status).toBe(200);
    const { file_name, mime_type, size, pdf_base64, sha256 } = answer.body.data;
    const bytes = Buffer.from(pdf_base64, 'base64');
    expect({ mime_type, size }).toEqual({ mime_type: 'application/pdf', size: bytes.length });
    expect(file_name).toBe(`draft-${document_type.replaceAll('_', '-')}-${String(document_id)}.pdf`);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(await wordsOf(answer)).toContain('DRAFT');
  });

  it('shows the issued document with its number, the client’s name and what is due, and the same file each time', async () => {
    const document_id = await created('invoice');
    const { document_number } = (await issue('invoice', document_id)).body.data;
    const first = await pdf({ document_type: 'invoice', document_id });
    expect(first.body.data.file_name).toBe(`${String(document_number)}.pdf`);
    const words = await wordsOf(first);
    for (const word of ['acme', 'Kruger Farms', document_number, 'Amount due', 'R 1 293,75'])
      expect(words).toContain(word);
    expect(words).not.toContain('DRAFT');
    expect((await pdf({ document_type: 'invoice', document_id })).body.data.sha256).toBe(first.body.data.sha256);
    const paid = { action: 'record-finance-payment', document_type: 'invoice', document_id, amount: 1293.75 };
    expect((await api.act(key, paid)).status).toBe(200);
    expect((await pdf({ document_type: 'invoice', document_id })).body.data.sha256).not.toBe(first.body.data.sha256);
  });

  it('names the seller as it is for a draft, and as it was at issue ever after', async () => {
    const tenant = await api.tenant('seller', { tier: 'enterprise', finance_tier: 'full' });
    const seller = await tenant.key();
    const change = (body: object): Promise<Response> => actingAs(api, tenant).patch('/api/v1/client', body);
    const made = async (): Promise<{ document_type: string; document_id: number }> => {
      const lines = [{ description: 'Work', unit_price: 100, tax_rate: 15 }];
      const draft = { action: 'create-finance-document', document_type: 'invoice', contact_name: 'Buyer', lines };
      return { document_type: 'invoice', document_id: (await api.act(seller, draft)).body.data.id };
    };
    const issued = await made();
    const draft = await made();
    const before = { name: 'Old Pumps', address: '7 Dock Road', tax_number: '4012345678', bank_details: 'Account 62' };
    await change(before);
    await api.act(seller, { action: 'issue-finance-document', ...issued });
    const first = await pdf(issued, seller);
    for (const words of ['Old Pumps Tax invoice 7 Dock Road Tax number: 4012345678', 'Bank details Account 62'])
      expect(await wordsOf(first)).toContain(words);
    await change({ name: 'New Pumps', country: 'US', address: '1 Main Street', tax_number: null, bank_details: null });
    expect((await pdf(issued, seller)).body.data.sha256).toBe(first.body.data.sha256);
    const words = await wordsOf(await pdf(draft, seller));
    expect(words).toContain('New Pumps Invoice 1 Main Street');
    expect(words).not.toMatch(/Tax invoice|4012345678|Account 62/);
  });

  it('gives what was issued before sellers were kept the client of the day of the migration', async () => {
    const nothing = { lines: [{ description: 'Free', unit_price: 0 }] };
    const [sold, free] = [await created('invoice'), await created('bill', nothing)];
    await issue('invoice', sold);
    await issue('bill', free);
    const draft = await created('invoice');
    const owner = new pg.Client({ connectionString: api.database.ownerUrl });
    await owner.connect();
    try {
      await owner.query('begin');
      await owner.query('alter table finance_documents drop column seller');
      for (const field of SELLER_COLUMNS) await owner.query(`alter table clients drop column ${field}`);
      await owner.query('set local role system');
      await owner.query(`update finance_documents set status = 'issued' where id = $1`, [free]);
      await owner.query('reset role');
      for (const sql of sellerMigration()) await owner.query(sql);
      await owner.query('set local role system');
      const { rows } = await owner.query(
        'select id::int, status, seller from finance_documents where id = any($1) order by id',
        [[sold, free, draft]],
      );
      const seller = { name: 'acme', country: 'ZA', kept_later: true };
      expect(rows).toEqual([
        { id: sold, status: 'issued', seller },
        { id: free, status: 'paid', seller },
        { id: draft, status: 'draft', seller: null },
      ]);
    } finally {
      await owner.query('rollback');
      await owner.end();
    }
  });

  it('writes in the words and figures of the locale', async () => {
    const document_id = await created('invoice', { currency: 'EUR' });
    const answer = await pdf({ document_type: 'invoice', document_id, locale: 'de-DE' });
    expect(await wordsOf(answer)).toContain('Gesamtbetrag 1.293,75 €');
  });

  it('refuses bad input, naming the field', async () => {
    const document_id = await created('invoice');
    const refused = async (params: object, code: string, field: string): Promise<void> => {
      const answer = await pdf(params);
      expectRefusal(answer, 400, code);
      expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
    };
    await refused({ document_id }, 'BAD_REQUEST', 'document_type');
    await refused({ document_type: 'invoice' }, 'BAD_REQUEST', 'document_id');
    await refused({ document_type: 'invoice', document_id: 'x' }, 'BAD_REQUEST', 'document_id');
    await refused({ document_type: 'poem', document_id }, 'VALIDATION_ERROR', 'document_type');
    await refused({ document_type: 'invoice', document_id, locale: 'not a locale' }, 'VALIDATION_ERROR', 'locale');
    await refused({ document_type: 'invoice', document_id, paper: 'A3' }, 'VALIDATION_ERROR', 'paper');
  });

  it('knows no document of another type, another client, or none', async () => {
    const document_id = await created('invoice');
    expectRefusal(await pdf({ document_type: 'quote', document_id }), 404, 'NOT_FOUND');
    expectRefusal(await pdf({ document_type: 'invoice', document_id: 2_000_000_000 }), 404, 'NOT_FOUND');
    const other = await api.tenant('other', { tier: 'enterprise', finance_tier: 'full' });
    expectRefusal(await pdf({ document_type: 'invoice', document_id }, await other.key()), 404, 'NOT_FOUND');
  });

  it('needs the scope of the very type, and the type in the finance tier', async () => {
    const document_id = await created('invoice');
    const of = { document_type: 'invoice', document_id };
    expectRefusal(await pdf(of, await api.acme.key(['contacts:read'])), 403, 'SCOPE_REQUIRED');
    expectRefusal(await pdf(of, await api.acme.key(['bills:read'])), 403, 'SCOPE_REQUIRED');
    expect((await pdf(of, await api.acme.key(['invoices:read']))).status).toBe(200);
    expectRefusal(await pdf(of, await api.rival.key()), 403, 'TIER_RESTRICTED');
  });
});
