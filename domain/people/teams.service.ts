import { isoMoment, MAX_COUNTED, pageOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { ListTeamsInput, TeamView } from '../contracts/teams.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { containing } from './filters.rules.ts';

const COLUMNS = `team_id, client_id, name, description, is_active, created_at, updated_at,
  (select count(*) from team_memberships m where m.client_id = $1 and m.team_id = t.team_id) as member_count`;
const GET = statement(`select ${COLUMNS} from teams t where client_id = $1 and team_id = $2`);
const LOCK = statement(`select ${COLUMNS} from teams t where client_id = $1 and team_id = $2 for no key update`);

type TeamRow = Omit<TeamView, 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date };

const pairs = new Map<string, { list: Statement; count: Statement }>();

/** One plan per set of filters. */
function pairFor(conditions: readonly string[]): { list: Statement; count: Statement } {
  const where = conditions.join(' and ');
  let pair = pairs.get(where);
  if (pair === undefined) {
    pair = {
      list: statement(`select ${COLUMNS} from teams t where ${where} order by lower(name) limit $2 offset $3`),
      // The window stands in both, so that both take the same parameters.
      count: statement(`
        select count(*) as total from (
          select from teams where ${where} and $2::int > 0 and $3::int >= 0 limit ${String(MAX_COUNTED + 1)}) counted`),
    };
    pairs.set(where, pair);
  }
  return pair;
}

/** By name. */
export async function listTeams(
  tx: TenantTransaction,
  { search, is_active, limit, offset }: ListTeamsInput,
): Promise<{ teams: TeamView[]; pagination: Page }> {
  const { list, count } = pairFor([
    'client_id = $1',
    ...(is_active === undefined ? [] : [is_active ? 'is_active' : 'not is_active']),
    ...(search === undefined ? [] : [`concat_ws(' ', name, description) ilike $4`]),
  ]);
  const values = [tx.clientId, limit, offset, ...(search === undefined ? [] : [containing(search)])];
  const [rows, [counted]] = await Promise.all([
    tx.query<TeamRow>(list, values),
    tx.query<{ total: number }>(count, values),
  ]);
  return { teams: rows.map(viewOf), pagination: pageOf(counted?.total ?? 0, { limit, offset }) };
}

/** 404 for another client's. */
export async function getTeam(tx: TenantTransaction, id: string): Promise<TeamView> {
  return only(await tx.query<TeamRow>(GET, [tx.clientId, id]), id);
}

/** The same, and no other transaction changes the team or who is in it until this one ends. */
export async function lockTeam(tx: TenantTransaction, id: string): Promise<TeamView> {
  return only(await tx.query<TeamRow>(LOCK, [tx.clientId, id]), id);
}

function only(rows: readonly TeamRow[], id: string): TeamView {
  const [row] = rows;
  if (row === undefined) throw ApiError.notFound('team', id);
  return viewOf(row);
}

function viewOf(row: TeamRow): TeamView {
  return {
    team_id: row.team_id,
    client_id: row.client_id,
    name: row.name,
    description: row.description,
    is_active: row.is_active,
    member_count: row.member_count,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}
