import { recordEvent } from '../../domain/events/index.ts';
import { insertDeliveries, laneOf } from '../../domain/webhooks/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

export const WEBHOOKS = '/api/v1/work-items/webhooks';

const EVENT_OF = statement('select id from events where event_id = $1');
const TOUCH = statement(`
  update deliveries d set status = coalesce(v.status, d.status), dlq_at = v.dlq_at, dlq_reason = v.dlq_reason,
    created_at = coalesce(v.created_at, d.created_at), sends = coalesce(v.sends, d.sends), error_message = v.error_message,
    response_status = v.response_status, delivered_at = v.delivered_at, duration_ms = v.duration_ms,
    next_attempt_at = v.next_attempt_at, leased_until = null, webhook_revision = v.webhook_revision
  from jsonb_populate_record(null::deliveries, $2) v where d.id = $1`);
const READ = statement(`select * from deliveries where client_id = $1 and webhook_id = $2 order by id`);

/** A delivery as the database has it. */
export interface StoredDelivery extends Record<string, unknown> {
  id: number;
  event_id: string;
  status: string;
  round: number;
  sends: number;
  dlq_at: Date | null;
  dlq_reason: string | null;
  is_ordered: boolean;
  event_seq: number | null;
}

/** Makes webhooks and deliveries in the state that a test wants, and calls the API about them. */
export class DeliveryStand {
  readonly #api: ApiFixture;
  readonly #tenant: ApiTenant;

  constructor(api: ApiFixture, tenant: ApiTenant = api.acme) {
    this.#api = api;
    this.#tenant = tenant;
  }

  async call(method: 'get' | 'post' | 'patch', path: string, body?: object, tenant: ApiTenant = this.#tenant) {
    const http = this.#api.http();
    const request = http[method](`${WEBHOOKS}${path}`).set('Authorization', `Bearer ${await tenant.token()}`);
    return body === undefined ? request : request.send(body);
  }

  async webhook(input: object = {}): Promise<number> {
    const body = { name: 'ERP', endpoint_url: 'https://erp.example/hooks', events: ['job.created'], ...input };
    const answer = await this.call('post', '', body);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.data.id as number;
  }

  /** A failed delivery of a new event; `columns` overrides. */
  async delivery(
    webhookId: number,
    columns: Record<string, unknown> = {},
    { name = 'job.created', data = { work_item: { id: 7 } } }: { name?: string; data?: Record<string, unknown> } = {},
  ): Promise<{ id: number; eventId: string }> {
    const { tenants } = this.#api.services;
    const { clientId } = this.#tenant;
    // One transaction: a relay that runs beside would else find the event alone, and make the delivery itself.
    const { id, eventId } = await tenants.transaction(clientId, async (tx) => {
      const made = recordEvent(tx, { name, data });
      const [event] = await tx.query<{ id: number }>(EVENT_OF, [made]);
      const delivery = {
        clientId,
        webhookId,
        eventId: made,
        eventType: name,
        workItemId: 7,
        eventSeq: event?.id ?? 0,
        isOrdered: false,
        // So that no relay takes it before it is what the test wants.
        leased: true,
      };
      const [row] = await insertDeliveries(tx, [delivery]);
      if (row === undefined) throw new Error(`the event ${made} has a delivery already`);
      return { id: row.id, eventId: made };
    });
    await this.set(id, {
      status: 'failed',
      sends: 6,
      dlq_at: new Date(),
      dlq_reason: '6 sends failed; last: HTTP 500',
      error_message: 'HTTP 500',
      response_status: 500,
      duration_ms: 12,
      ...columns,
    });
    return { id, eventId };
  }

  async set(deliveryId: number, columns: Record<string, unknown>): Promise<void> {
    await this.#api.services.system.query(TOUCH, [deliveryId, JSON.stringify(columns)]);
  }

  stored(webhookId: number): Promise<StoredDelivery[]> {
    return this.#api.services.system.query<StoredDelivery>(READ, [this.#tenant.clientId, webhookId]);
  }

  lane(webhookId: number): string {
    return laneOf(webhookId, false);
  }
}
