import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** One training of a custom model; one that succeeded is a version of it, and `parameters` is what it learned. */
export const VisionTraining = defineEntity({
  name: 'VisionTraining',
  tableName: 'vision_trainings',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    training_id: p.uuid(),
    model_id: p.text(),
    status: p.text().default('training'),
    samples: p.integer(),
    version: p.integer().nullable(),
    parameters: p.json<Record<string, unknown>>().nullable(),
    accuracy: p.float().columnType('real').nullable(),
    webhook_url: p.text().nullable(),
    api_key_id: p.integer().nullable(),
    oauth_application_id: p.integer().nullable(),
    error_code: p.text().nullable(),
    error_message: p.text().nullable(),
    created_at: column.createdAt(),
    finished_at: column.moment().nullable(),
  },
  uniques: [{ name: 'vision_trainings_training_unique', properties: ['training_id'] }],
  indexes: [{ name: 'vision_trainings_model_index', properties: ['client_id', 'model_id', 'version'] }],
});
