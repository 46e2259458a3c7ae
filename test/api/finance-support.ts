import type { Response } from 'supertest';
import { statement } from '../../platform/db/statement.ts';
import type { ApiFixture } from './support.ts';

/** Of unknown shape on purpose: the tests say the shape. */
export type Json = Response['body'];

const EVENTS = statement(`select name, data from events where client_id = $1 and id > $2 order by id`);
const LAST_EVENT = statement(`select coalesce(max(id), 0) as id from events where client_id = $1`);
const AUDIT = statement(`
  select action, actor_type, subject_type, subject_id, details from audit_entries
  where client_id = $1 and subject_type in ('finance_document', 'payment') order by id desc limit $2`);

/** What the finance tests do with the API, as the holder of a key. */
export class FinanceDesk {
  readonly #api: ApiFixture;
  readonly key: string;

  constructor(api: ApiFixture, key: string) {
    this.#api = api;
    this.key = key;
  }

  act(action: string, input: Record<string, unknown> = {}): Promise<Response> {
    return this.#api.act(this.key, { action, ...input });
  }

  create(input: Record<string, unknown> = {}): Promise<Response> {
    return this.act('create-finance-document', {
      document_type: 'invoice',
      contact_name: 'Kruger Farms',
      lines: [{ description: 'Pump service', quantity: 2, unit_price: 100, tax_rate: 15 }],
      ...input,
    });
  }

  /** A new draft. */
  async draft(input: Record<string, unknown> = {}): Promise<Json> {
    const answer = await this.create(input);
    if (answer.status !== 200) throw new Error(`no draft was made: ${answer.text}`);
    return answer.body.data;
  }

  /** A new document that is issued. */
  async issued(input: Record<string, unknown> = {}): Promise<Json> {
    return (await this.issue(await this.draft(input))).body.data;
  }

  issue(document: { document_type: string; id: number }): Promise<Response> {
    return this.act('issue-finance-document', refOf(document));
  }

  async get(document: { document_type: string; id: number }): Promise<Json> {
    return (await this.act('get-finance-document', refOf(document))).body.data;
  }

  pay(
    document: { document_type: string; id: number },
    amount: number,
    input: Record<string, unknown> = {},
  ): Promise<Response> {
    return this.act('record-finance-payment', { ...refOf(document), amount, ...input });
  }

  convert(source: { document_type: string; id: number }, target_type: string, input = {}): Promise<Response> {
    return this.act('convert-finance-document', {
      source_type: source.document_type,
      source_id: source.id,
      target_type,
      ...input,
    });
  }

  /** The events that `work` leaves. */
  async eventsOf(work: () => Promise<unknown>): Promise<{ name: string; data: Json }[]> {
    const { system } = this.#api.services;
    const { clientId } = this.#api.acme;
    const [last] = await system.query<{ id: number }>(LAST_EVENT, [clientId]);
    await work();
    return system.query<{ name: string; data: Json }>(EVENTS, [clientId, last?.id]);
  }

  /** The newest audit rows, newest first. */
  audits(limit: number): Promise<{ action: string; subject_id: string; details: Json }[]> {
    return this.#api.services.system.query(AUDIT, [this.#api.acme.clientId, limit]);
  }
}

export const refOf = (document: { document_type: string; id: number }) => ({
  document_type: document.document_type,
  document_id: document.id,
});
