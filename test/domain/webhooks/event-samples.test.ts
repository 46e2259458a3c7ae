import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { EVENT_FAMILIES } from '../../../domain/contracts/event-catalogue.ts';
import { CUSTOM_EVENTS, EVENT_NAMES, VERIFICATION_EVENT } from '../../../domain/contracts/event-names.ts';
import { dataSchemaOf, descriptionOf, samplePayload } from '../../../domain/webhooks/event-samples.ts';

const events = [...EVENT_NAMES, VERIFICATION_EVENT, CUSTOM_EVENTS];
const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);

describe('the catalogue of events', () => {
  it('has every event in one family', () => {
    expect(EVENT_FAMILIES.flatMap((family) => family.events).sort()).toEqual([...events].sort());
  });

  it.each(events)('%s has a description', (event) => {
    expect(descriptionOf(event)).toMatch(/^[A-Z].*\.$/);
  });

  it.each(events)('%s has a sample payload that fits its schema', (event) => {
    const payload = samplePayload(event);
    expect(payload).toMatchObject({ event, version: '2026-07-01', metadata: { client_id: 1 } });
    const validate = ajv.compile(dataSchemaOf(event) ?? false);
    validate(payload?.['data']);
    expect(validate.errors).toBeNull();
  });

  it('knows nothing of what is no event', () => {
    expect(samplePayload('job.made')).toBeUndefined();
    expect(samplePayload('constructor')).toBeUndefined();
    expect(dataSchemaOf('custom.Bad Name')).toBeUndefined();
  });
});

describe('samplePayload', () => {
  const data = (event: string): Record<string, Record<string, unknown>> =>
    samplePayload(event)?.['data'] as Record<string, Record<string, unknown>>;

  it('speaks of the kind of record that the event is about', () => {
    expect(data('ticket.created')['work_item']).toMatchObject({ item_type: 'ticket', item_number: 'TICKET-000001' });
    expect(data('credit_note.issued')['document']).toMatchObject({
      document_type: 'credit_note',
      document_number: 'CN-000001',
      status: 'issued',
    });
    expect(data('attendance.break_end')['log']).toMatchObject({ action: 'break_end' });
    expect(data('appointment.created')['work_item']).toMatchObject({ item_type: 'job' });
  });

  it('tells what changed', () => {
    expect(data('job.status_changed')).toMatchObject({
      work_item: { status: 'in_progress' },
      changes: { status: { from: 'open', to: 'in_progress' } },
    });
    expect(data('job.created')).not.toHaveProperty('changes');
    expect(data('invoice.paid')).toMatchObject({ document: { status: 'paid', amount_due: 0 }, payment: { id: 88 } });
  });

  it('goes for events of your own', () => {
    expect(samplePayload('custom.order.shipped')).toMatchObject({ event: 'custom.order.shipped' });
  });
});
