import { describe, expect, it } from '@jest/globals';
import {
  availableEvents,
  credentialIssues,
  customHeaderIssues,
  eventBeyondTier,
  unknownEventIssues,
} from '../../../domain/webhooks/webhook.rules.ts';

describe('customHeaderIssues', () => {
  it.each([
    'Host',
    'content-type',
    'X-Service-Signature',
    'X-Webhook-Event',
    'webhook-id',
    'Idempotency-Key',
    'User-Agent',
  ])('refuses %s, which is ours', (name) => {
    expect(customHeaderIssues({ [name]: 'x' }, 'hmac')).toHaveLength(1);
  });

  it('refuses what would split a request', () => {
    expect(customHeaderIssues({ 'x-a': 'b\r\nx-c: d' }, 'none')).toHaveLength(1);
    expect(customHeaderIssues({ 'x a': 'b' }, 'none')).toHaveLength(1);
  });

  it('leaves Authorization to the customer unless we authenticate by it', () => {
    expect(customHeaderIssues({ authorization: 'x' }, 'hmac')).toEqual([]);
    expect(customHeaderIssues({ authorization: 'x' }, 'bearer')).toHaveLength(1);
  });

  it('accepts twenty headers and refuses one more', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${String(i)}`, '1']));
    expect(customHeaderIssues(many(20), 'hmac')).toEqual([]);
    expect(customHeaderIssues(many(21), 'hmac')).toHaveLength(1);
  });
});

describe('credentialIssues', () => {
  it('asks for credentials with bearer and basic, and for none without', () => {
    expect(credentialIssues('bearer', null)).toHaveLength(1);
    expect(credentialIssues('basic', 'user:password')).toEqual([]);
    expect(credentialIssues('hmac', 'token')).toHaveLength(1);
    expect(credentialIssues('none', null)).toEqual([]);
  });
});

describe('events', () => {
  it('names each unknown event', () => {
    expect(unknownEventIssues(['job.created', 'job.exploded', 'custom.order_paid'])).toEqual([
      { field: 'events[1]', issue: expect.stringMatching(/^"job.exploded" is not an event: GET .*event-types/) },
    ]);
  });

  it('offers finance events by tier', () => {
    expect(availableEvents('none')).not.toContain('invoice.created');
    expect(availableEvents('basic')).toContain('invoice.paid');
    expect(availableEvents('basic')).not.toContain('credit_note.created');
    expect(availableEvents('full')).toContain('purchase_order.issued');
    expect(eventBeyondTier(['job.created', 'bill.created'], 'standard')).toBe('bill.created');
    expect(eventBeyondTier(['job.created', 'bill.created'], 'full')).toBeUndefined();
  });
});
