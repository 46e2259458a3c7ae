import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * A blob that no row speaks of: not yet (it is being uploaded) or no longer (its attachment was deleted). Whoever makes a
 * row for it removes this one in the same transaction; maintenance removes what is left after `remove_after`.
 */
export const UnclaimedBlob = defineEntity({
  name: 'UnclaimedBlob',
  tableName: 'unclaimed_blobs',
  properties: {
    blob_key: p.text().primary(),
    client_id: column.clientId(),
    remove_after: column.moment(),
  },
  indexes: [{ name: 'unclaimed_blobs_age_index', properties: ['remove_after'] }],
});
