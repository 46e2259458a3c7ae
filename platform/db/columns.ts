import { p } from '@mikro-orm/core';

/** The columns that most tables share. Property names are the column names and the wire names: one spelling everywhere. */
export const column = {
  /** Integer primary key. */
  id: () => p.integer().primary().autoincrement(),
  /** 64-bit primary key, for tables that grow with traffic. */
  bigId: () => p.bigint('number').primary().autoincrement(),
  /** The tenant that owns the row; row-level security and the default filter both read it. */
  clientId: () => p.integer().columnType('int'),
  /** A moment, to the millisecond, with time zone. */
  moment: () => p.datetime(3),
  createdAt: () => p.datetime(3).defaultRaw('now()'),
  updatedAt: () => p.datetime(3).defaultRaw('now()'),
  textArray: () => p.array().columnType('text[]').defaultRaw(`'{}'`),
};
