import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A word that occurs in a client's work items, kept by the worker: where a misspelt word of a search is looked up. */
export const WorkItemWord = defineEntity({
  name: 'WorkItemWord',
  tableName: 'work_item_words',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    word: p.text(),
  },
  indexes: [
    { name: 'work_item_words_index', properties: ['client_id', 'word'] },
    {
      name: 'work_item_words_similar_index',
      expression: 'create index "work_item_words_similar_index" on "work_item_words" using gin ("word" gin_trgm_ops)',
    },
  ],
});
