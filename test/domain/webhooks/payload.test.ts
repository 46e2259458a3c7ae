import { describe, expect, it } from '@jest/globals';
import type { PayloadTemplate } from '../../../domain/contracts/payload-templates.ts';
import { payloadText } from '../../../domain/webhooks/payload.ts';

const facts = {
  event: 'job.created',
  occurredAt: '2026-11-21T08:00:00.000Z',
  clientId: 3,
  eventId: '0198c5c8-27ba-7c4e-8a3d-5f1c0e7b9a10',
  deliveryId: 12,
  webhookId: 4,
};
const metadata = { client_id: 3, event_id: facts.eventId, delivery_id: 12, webhook_id: 4 };
const DATA = '{"work_item":{"id":1.50,"title":"Replace the pump"}}';

function sent(template: PayloadTemplate | null, event = 'job.created', dataText = DATA): unknown {
  return JSON.parse(payloadText({ ...facts, event }, dataText, { version: 'latest', template }));
}

describe('payloadText', () => {
  it('is the default payload, with the data as it was recorded', () => {
    const text = payloadText(facts, DATA, { version: 'latest', template: null });
    expect(text).toContain(`"data":${DATA}`);
    expect(JSON.parse(text)).toEqual({
      event: 'job.created',
      version: '2026-07-01',
      timestamp: '2026-11-21T08:00:00.000Z',
      data: { work_item: { id: 1.5, title: 'Replace the pump' } },
      metadata,
    });
  });

  it('does not parse what it passes through', () => {
    const text = payloadText(facts, '{not json', { version: 'latest', template: { mode: 'passthrough' } });
    expect(text).toContain('"data":{not json');
  });

  it('says the version that the webhook pins', () => {
    const text = payloadText(facts, DATA, { version: '2026-07-01', template: null });
    expect(JSON.parse(text)).toMatchObject({ version: '2026-07-01' });
  });

  it('is what the template of the webhook makes of it', () => {
    expect(sent({ mode: 'fields', fields: ['event', 'data.work_item.title'] })).toEqual({
      event: 'job.created',
      data: { work_item: { title: 'Replace the pump' } },
    });
    expect(sent({ mode: 'template', template: { of: '{{ metadata.delivery_id }}' } })).toEqual({ of: 12 });
  });

  it('keeps the challenge of a verification, whatever the template', () => {
    const template: PayloadTemplate = { mode: 'fields', fields: ['event'] };
    expect(sent(template, 'webhook.verification', '{"challenge":"c"}')).toMatchObject({ data: { challenge: 'c' } });
  });
});
