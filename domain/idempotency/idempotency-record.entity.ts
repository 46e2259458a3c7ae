import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * The first answer to an Idempotency-Key, kept for 24 hours (spec, "Idempotency record"). `part` is the id of a batch's
 * operation, '' for a request as a whole. Without a status the request still runs, under a lease; the answer is sealed.
 */
export const IdempotencyRecord = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_records',
  properties: {
    client_id: column.clientId().primary(),
    key: p.text().primary(),
    part: p.text().primary().default(''),
    principal: p.text(),
    fingerprint: p.blob(),
    request_id: p.uuid(),
    status: p.smallint().nullable(),
    answer: p.blob().nullable(),
    lease_until: column.moment().nullable(),
    created_at: column.createdAt(),
  },
  indexes: [{ name: 'idempotency_records_age_index', properties: ['created_at'] }],
});
