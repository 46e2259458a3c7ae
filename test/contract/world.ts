import type { Response } from 'supertest';
import { statement } from '../../platform/db/statement.ts';
import type { ApiFixture, ApiTenant } from '../api/support.ts';

const INSERT_EMPLOYEE = statement(`
  insert into employees (client_id, employee_number, first_name, last_name, user_id, manager_id)
  values ($1, $2, $3, 'Mokoena', $4, $5) returning id`);

type Data = Record<string, unknown>;

/** One client whose records are made through the actions themselves; each of them bears `words`. */
export class World {
  readonly tenant: ApiTenant;
  /** Found in every text of this client's records, and nowhere else. */
  readonly words: string;
  readonly #api: ApiFixture;
  #key = '';
  #employees = 0;

  private constructor(api: ApiFixture, tenant: ApiTenant, words: string) {
    this.#api = api;
    this.tenant = tenant;
    this.words = words;
  }

  static async of(api: ApiFixture, slug: string): Promise<World> {
    const tenant = await api.tenant(slug, {
      tier: 'enterprise',
      finance_tier: 'full',
      production_api_enabled: true,
    });
    const world = new World(api, tenant, `Of ${slug} only`);
    world.#key = await tenant.key();
    return world;
  }

  act(action: string, params: Data = {}): Promise<Response> {
    return this.#api.act(this.#key, { ...params, action });
  }

  /** What an action answers that must succeed. */
  async does(action: string, params: Data = {}): Promise<Data> {
    const { status, body } = await this.act(action, params);
    if (status === 200) return body.data as Data;
    throw new Error(`${action} was refused: ${JSON.stringify(body)}`);
  }

  get userId(): number {
    return this.tenant.users.member.id;
  }

  async employee(managerId: number | null = null): Promise<number> {
    this.#employees += 1;
    const number = `E-${String(this.#employees)}`;
    const userId = this.#employees === 1 ? this.userId : null;
    const given = [this.tenant.clientId, number, this.words, userId, managerId];
    const [row] = await this.#api.services.system.query<{ id: number }>(INSERT_EMPLOYEE, given);
    return row?.id ?? 0;
  }

  async contact(): Promise<number> {
    return (await this.does('create-contact', { name: this.words, contact_type: 'both' }))['id'] as number;
  }

  async item(more: Data = {}): Promise<string> {
    const made = await this.does('create-work-item', { item_type: 'job', title: this.words, ...more });
    return made['work_item_id'] as string;
  }

  async thread(): Promise<string> {
    const input = { participant_user_ids: [this.userId], subject: this.words, body: this.words };
    return ((await this.does('send-thread-message', input))['thread'] as Data)['thread_id'] as string;
  }

  async document(documentType: string): Promise<{ document_type: string; document_id: number }> {
    const lines = [{ description: this.words, quantity: 2, unit_price: 100 }];
    const contact = { contact_id: await this.contact() };
    const made = await this.does('create-finance-document', { document_type: documentType, lines, ...contact });
    return { document_type: documentType, document_id: made['id'] as number };
  }

  async issued(documentType: string): Promise<{ document_type: string; document_id: number }> {
    const document = await this.document(documentType);
    await this.does('issue-finance-document', document);
    return document;
  }

  async payment(): Promise<number> {
    const input = { ...(await this.issued('invoice')), amount: 10, notes: this.words };
    return ((await this.does('record-finance-payment', input))['payment'] as Data)['id'] as number;
  }

  async recurringJob(): Promise<string> {
    const schedule = { frequency: 'daily', time: '08:00' };
    return (await this.does('create-recurring-job', { title: this.words, schedule }))['recurring_job_id'] as string;
  }
}
