import { expect } from '@jest/globals';
import type pg from 'pg';
import { within } from './within.ts';

/**
 * Waits until every committed audit entry of the client may be sealed: a transaction of any other test on this server,
 * in whatever database, holds the sealer's horizon back until it has ended.
 */
export async function untilSealable(superuser: pg.Client, clientId: number): Promise<void> {
  await within(40_000, async () => {
    const { rows } = await superuser.query(
      `select from audit_entries where client_id = $1 and xid >= pg_snapshot_xmin(pg_current_snapshot())
         and xid < pg_snapshot_xmax(pg_current_snapshot()) limit 1`,
      [clientId],
    );
    expect(rows).toEqual([]);
  });
}
