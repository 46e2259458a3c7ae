import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * An annotated document that a model is trained on. Its file and words lie in the blob store, in the folder of the training
 * that brought it; they are kept until the model is deleted or newer samples take their place.
 */
export const VisionSample = defineEntity({
  name: 'VisionSample',
  tableName: 'vision_samples',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    model_id: p.text(),
    training_id: p.uuid(),
    index: p.integer(),
    annotations: p.json<Record<string, unknown>>(),
    pages: p.integer().nullable(),
    created_at: column.createdAt(),
  },
  uniques: [{ name: 'vision_samples_index_unique', properties: ['client_id', 'training_id', 'index'] }],
  indexes: [{ name: 'vision_samples_model_index', properties: ['client_id', 'model_id', 'id'] }],
});
