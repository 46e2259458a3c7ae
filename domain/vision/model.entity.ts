import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * A custom model. `status`: draft → training → ready | failed, and ready → training again. `version` is the one that
 * serves, whatever the status; 0: none yet.
 */
export const VisionModel = defineEntity({
  name: 'VisionModel',
  tableName: 'vision_models',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    model_id: p.text(),
    name: p.text(),
    fields: p.json<Record<string, unknown>[]>(),
    status: p.text().default('draft'),
    version: p.integer().default(0),
    /** The last training; the one under way where the status is `training`. */
    training_id: p.uuid().nullable(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  uniques: [{ name: 'vision_models_model_unique', properties: ['client_id', 'model_id'] }],
});
