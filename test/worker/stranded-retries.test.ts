import { describe, expect, it } from '@jest/globals';
import { deliveryWorkflowId, SEARCH_ATTRIBUTE, WORKFLOW } from '../../domain/contracts/workflows.ts';
import { adoptStranded } from '../../domain/webhooks/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { searchableAttributes, workflowMemo } from '../../worker/relay/workflow-facts.ts';
import { temporalAddress } from '../support/stack.ts';
import { within } from '../support/within.ts';
import { relayFixture } from './relay-fixture.ts';

const fixture = relayFixture();

const STARTS = statement('select workflow_id, workflow_type, input from workflow_starts order by id');
const FORGET = statement('delete from workflow_starts');
const LATE = statement(`update deliveries set next_attempt_at = now() - $2 * interval '1 minute' where id = $1`);

/** A delivery whose first send has failed. */
async function retrying(temporal?: string): Promise<number> {
  const { tenant, receiver } = fixture;
  receiver.respondWith(500);
  await tenant.webhook(receiver.url, { retry_delay_seconds: 3_600 });
  await fixture.startRelay(temporal);
  await tenant.event();
  const [row] = await tenant.until((rows) => rows[0]?.status === 'retrying');
  return row!.id;
}

describe('a retry that nobody makes', () => {
  it('is given a workflow again when it is ten minutes late, once in a while', async () => {
    const { tenant } = fixture;
    const id = await retrying();
    await tenant.system.query(FORGET);
    expect(await adoptStranded(tenant.system)).toBe(0);
    await tenant.system.query(LATE, [id, 9]);
    expect(await adoptStranded(tenant.system)).toBe(0);
    await tenant.system.query(LATE, [id, 11]);
    expect(await adoptStranded(tenant.system)).toBe(1);
    expect(await adoptStranded(tenant.system)).toBe(0);
    const [row] = await tenant.deliveries();
    expect(await tenant.system.query(STARTS)).toEqual([
      {
        workflow_id: deliveryWorkflowId(id, 1),
        workflow_type: WORKFLOW.deliverWebhook,
        input: {
          client_id: tenant.clientId,
          delivery_id: id,
          round: 1,
          sends: 1,
          next_attempt_at: row!.next_attempt_at!.toISOString(),
          webhook_id: row!.webhook_id,
          event_name: 'job.created',
          endpoint_url: expect.stringContaining(fixture.receiver.url),
          error: 'HTTP 500',
        },
      },
    ]);
  });

  it('runs again after its workflow was terminated, and is left alone while that runs', async () => {
    const { tenant } = fixture;
    const id = await retrying(temporalAddress());
    const client = await fixture.gateway.client();
    const handle = client.workflow.getHandle(deliveryWorkflowId(id, 1));
    const first = await within(10_000, () => handle.describe());
    const again = async () => {
      await tenant.system.query(LATE, [id, 11]);
      expect(await adoptStranded(tenant.system)).toBe(1);
      await within(10_000, async () => {
        expect(await tenant.system.query(STARTS)).toEqual([]);
      });
    };
    await again();
    expect((await handle.describe()).runId).toBe(first.runId);
    await handle.terminate();
    await again();
    const second = await handle.describe();
    expect(second.status.name).toBe('RUNNING');
    expect(second.runId).not.toBe(first.runId);
    await handle.terminate();
  }, 40_000);
});

describe('what is looked for by its time alone', () => {
  it.each([
    [
      'deliveries_retrying_index',
      `select id from deliveries where case status when 'retrying' then true else null end and next_attempt_at < now()`,
    ],
    ['webhook_keys_expiry_index', 'select 1 from webhook_keys where expires_at <= now() and deactivated_at is null'],
  ])('is found by %s', async (index, query) => {
    const plan = await fixture.tenant.system.transaction((tx) => {
      tx.write(statement(`select set_config('enable_seqscan', 'off', true)`));
      return tx.query(statement(`explain (costs off) ${query}`));
    });
    expect(JSON.stringify(plan)).toContain(index);
  });
});

describe('what an operator sees of a rotation in the Temporal UI', () => {
  it('is its webhook, its key and its end', () => {
    const input = {
      client_id: 1,
      webhook_id: 7,
      key_version: 2,
      grace_period_hours: 72,
      old_key_ends_at: '2026-11-24T00:00:00.000Z',
    };
    const row = {
      id: 1,
      client_id: 1,
      workflow_id: 'signing-key/7/2',
      workflow_type: WORKFLOW.rotateSigningKey,
      task_queue: 'platform',
      input,
      attempts: 1,
    };
    expect(workflowMemo(row)).toEqual(input);
    expect(searchableAttributes(row)).toEqual({
      [SEARCH_ATTRIBUTE.clientId]: '1',
      [SEARCH_ATTRIBUTE.webhookId]: '7',
    });
  });
});
