import { randomUUID } from 'node:crypto';
import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { CreateTeamInput, TeamView, UpdateTeamInput } from '../contracts/teams.ts';
import { CLOSURE_STATUSES } from '../contracts/work-items.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkMayChange } from './may-change.ts';
import { refuseTaken } from './taken.ts';
import { getTeam, lockTeam } from './teams.service.ts';

const FIELDS = ['name', 'description', 'is_active'] as const;

const INSERT = statement(`
  insert into teams (team_id, client_id, name, description, is_active) values ($1, $2, $3, $4, $5)`);
const UPDATE = statement(`
  update teams set name = $3, description = $4, is_active = $5, updated_at = now() where client_id = $1 and team_id = $2`);
const LEAVE_ALL = statement('delete from team_memberships where client_id = $1 and team_id = $2 returning user_id');
const DELETE = statement('delete from teams where client_id = $1 and team_id = $2');
const ENDED = `(${CLOSURE_STATUSES.map((status) => `'${status}'`).join(', ')})`;
const names = (column: string): string => `strpos(lower(${column}::text), '"assigned_team": "' || $2::uuid || '"') > 0`;
/** What would be left without a team, or fail for want of one. */
const WORK = statement(`
  select
    (select count(*) from work_items where client_id = $1 and assigned_team = $2 and deleted_at is null
      and status not in ${ENDED}) as items,
    (select count(*) from recurring_jobs where client_id = $1 and status <> 'completed' and ${names('template')}) as jobs,
    (select count(*) from workflow_templates where client_id = $1 and status = 'active' and deleted_at is null
      and ${names('config')}) as workflows`);

/** A team that has nobody in it yet. */
export async function createTeam(tx: TenantTransaction, caller: Caller, input: CreateTeamInput): Promise<TeamView> {
  checkMayChange(caller);
  const id = randomUUID();
  const { name, description = null, is_active } = input;
  await tx.query(INSERT, [id, tx.clientId, name, description, is_active]).catch(refuseTakenName(name));
  note(tx, caller, { id, action: 'team.created' });
  return getTeam(tx, id);
}

/** Sets the fields that are given; null clears one. What changes nothing is success, and leaves no trace. */
export async function updateTeam(
  tx: TenantTransaction,
  caller: Caller,
  { team_id, ...input }: UpdateTeamInput,
): Promise<TeamView> {
  checkMayChange(caller);
  const before = await lockTeam(tx, team_id);
  const id = before.team_id;
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const after: TeamView = { ...before, ...given };
  const changed = FIELDS.filter((field) => after[field] !== before[field]);
  if (changed.length === 0) return before;
  const values = FIELDS.map((field) => after[field]);
  await tx.query(UPDATE, [tx.clientId, id, ...values]).catch(refuseTakenName(after.name));
  const changes = Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
  note(tx, caller, { id, action: 'team.updated', details: { changes } });
  return getTeam(tx, id);
}

/** CONFLICT while there is work for the team. What is ended keeps its id, as it keeps all that it was. */
export async function deleteTeam(tx: TenantTransaction, caller: Caller, teamId: string): Promise<TeamView> {
  checkMayChange(caller);
  const team = await lockTeam(tx, teamId);
  const id = team.team_id;
  const [work] = await tx.query<Work>(WORK, [tx.clientId, id]);
  refuseWork(team, work ?? { items: 0, jobs: 0, workflows: 0 });
  const members = await tx.query<{ user_id: number }>(LEAVE_ALL, [tx.clientId, id]);
  tx.write(DELETE, [tx.clientId, id]);
  const details = { name: team.name, user_ids: members.map(({ user_id }) => user_id) };
  note(tx, caller, { id, action: 'team.deleted', details });
  return team;
}

interface Work extends Record<string, unknown> {
  items: number;
  jobs: number;
  workflows: number;
}

function refuseWork({ name }: TeamView, { items, jobs, workflows }: Work): void {
  const work = [
    counted(items, 'open work item'),
    counted(jobs, 'recurring job'),
    counted(workflows, 'active workflow template'),
  ].filter((words) => words !== undefined);
  if (work.length === 0) return;
  const left = work.join(', ');
  throw new ApiError('CONFLICT', `The team ${JSON.stringify(name)} has ${left}: give them to another team first.`);
}

function counted(count: number, what: string): string | undefined {
  return count === 0 ? undefined : `${String(count)} ${what}${count === 1 ? '' : 's'}`;
}

function refuseTakenName(name: string): (error: unknown) => never {
  return refuseTaken({ teams_name_unique: ['name', `there is a team named ${JSON.stringify(name)} already`] });
}

function note(
  tx: TenantTransaction,
  caller: Caller,
  { id, action, details = {} }: { id: string; action: string; details?: Record<string, unknown> },
): void {
  audit(tx, caller, { action, subjectType: 'team', subjectId: id, details });
}
