/**
 * Row-level security for a table with a `client_id`: role `app` sees and writes the rows of its transaction's client
 * only, role `system` those of every client. `append-only`: the app role may add and read, never change or remove.
 */
export function tenantWall(table: string, changes: 'any' | 'append-only' = 'any'): string {
  const rights = changes === 'append-only' ? 'select, insert' : 'select, insert, update, delete';
  return `
    alter table ${table} enable row level security;
    alter table ${table} force row level security;
    create policy tenant on ${table} to app using (client_id = app_client_id()) with check (client_id = app_client_id());
    create policy every_tenant on ${table} to system using (true) with check (true);
    grant ${rights} on ${table} to app;
    grant select, insert, update, delete on ${table} to system;`;
}
