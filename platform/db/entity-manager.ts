import type { AnyEntity, EntityManager, EntitySchema } from '@mikro-orm/postgresql';
import { createPostgreSqlTypeParsers, MikroORM } from '@mikro-orm/postgresql';
import { Kysely, PostgresDialect } from 'kysely';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { PoolClient } from 'pg';
import { parse as parseArray } from 'postgres-array';

/** The transaction's connection, and what is to be called before each statement: it sends what waits to be sent. */
interface LentConnection {
  connection: PoolClient;
  before: () => void;
}

export function createOrm(
  { url, entities }: { url: string; entities: readonly EntitySchema<AnyEntity>[] },
  pool: pg.Pool,
): MikroORM {
  return new MikroORM({
    entities: [...entities],
    dbName: new URL(url).pathname.slice(1),
    driverOptions: new PostgresDialect({ pool }),
    connect: false,
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    filters: { tenant: tenantFilter(entities) },
  } as never);
}

/** On by default: what a tenant's entity manager finds is its own, even where row-level security doesn't reach. */
function tenantFilter(entities: readonly EntitySchema<AnyEntity>[]): object {
  return {
    entity: entities.filter(({ meta }) => 'client_id' in meta.properties).map(({ meta }) => meta.className),
    cond: ({ clientId }: { clientId: number | null }) => (clientId === null ? {} : { client_id: clientId }),
    default: true,
  };
}

/**
 * A fork of the ORM's entity manager that works inside the transaction already open on the connection, bound to
 * `clientId` by the default filter `tenant` (absent: the role sees every tenant).
 */
export async function bindEntityManager(
  orm: MikroORM,
  lent: LentConnection,
  clientId: number | undefined,
): Promise<EntityManager> {
  const em = orm.em.fork({ useContext: false });
  if (clientId === undefined) em.setFilterParams('tenant', { clientId: null });
  else em.setFilterParams('tenant', { clientId });
  const kysely = new Kysely({ dialect: new PostgresDialect({ pool: borrowedPool(lent) }) });
  em.setTransactionContext(await kysely.startTransaction().execute());
  return em;
}

const OWNED_BY_THE_TRANSACTION = new Set(['begin', 'commit', 'rollback']);
const NOTHING = { command: 'BEGIN', rowCount: 0, rows: [] };

/**
 * A pool of the one connection. Kysely begins, commits and rolls back what it believes is its own transaction; those
 * three belong to the owner of the connection, so they end here. Queries and savepoints pass through.
 */
function borrowedPool({ connection, before }: LentConnection): PostgresPool {
  const client = {
    query: (text: string, values: readonly unknown[]) => {
      if (OWNED_BY_THE_TRANSACTION.has(text)) return Promise.resolve(NOTHING);
      before();
      return connection.query({ text, values: values as unknown[], types: ormTypes });
    },
    release: () => undefined,
  };
  return {
    connect: () => Promise.resolve(client as unknown as PostgresPoolClient),
    end: () => Promise.resolve(),
    options: {},
  };
}

/** MikroORM hydrates dates and arrays itself and wants them as PostgreSQL wrote them. */
const ormTypes = new pg.TypeOverrides();
for (const [oid, parser] of Object.entries(createPostgreSqlTypeParsers((text: string) => parseArray(text, (s) => s)))) {
  ormTypes.setTypeParser(Number(oid), parser);
}
