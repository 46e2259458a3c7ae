import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Response } from 'supertest';
import { openPdf } from '../../documents/pages/pdfium.ts';
import { pageGeometry } from '../../documents/pages/raster.ts';
import { readTextLayer } from '../../documents/pages/text-layer.ts';
import { DOCUMENT_TYPES } from '../../domain/contracts/finance.ts';
import type { DocumentType } from '../../domain/contracts/finance.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  key = await api.acme.key();
});
afterAll(() => api.close());

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
