import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A refused password, counted per subject (an e-mail address, a network address) over a sliding window (decisions §1). */
export const AuthFailure = defineEntity({
  name: 'AuthFailure',
  tableName: 'auth_failures',
  properties: {
    id: column.bigId(),
    subject: p.text(),
    at: column.createdAt(),
  },
  indexes: [{ name: 'auth_failures_subject_index', properties: ['subject', 'at'] }],
});
