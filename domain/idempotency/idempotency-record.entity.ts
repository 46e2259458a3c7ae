import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * The first answer to an Idempotency-Key, kept for 24 hours (spec, "Idempotency record"). `part` is the id of a batch's
 * operation, '' for a request as a whole. Without a status the request still runs, under a lease; the answer is sealed.
 * With a status and without an answer: what was answered is erased.
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
    /** The Document AI call whose result the answer shows: erased with it. */
    result_id: p.uuid().nullable(),
    created_at: column.createdAt(),
  },
  indexes: [
    { name: 'idempotency_records_age_index', properties: ['created_at'] },
    {
      name: 'idempotency_records_result_index',
      properties: ['client_id', 'result_id'],
      where: `"result_id" is not null`,
    },
  ],
});
