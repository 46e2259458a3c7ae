import { randomUUID } from 'node:crypto';
import type { Caller } from '../domain/contracts/caller.ts';
import { CreateFinanceDocument } from '../domain/contracts/finance.ts';
import { CreateForm } from '../domain/contracts/forms.ts';
import { createFinanceDocument, issueFinanceDocument } from '../domain/finance/index.ts';
import { createForm } from '../domain/forms/index.ts';
import { statement } from '../platform/db/statement.ts';
import type { TenantTransaction } from '../platform/db/transaction.ts';
import { DEMO_FORM, DEMO_INVOICE, DEMO_QUOTE, DEMO_TEAM } from './seed-data.ts';

const HAS_FORM = statement(`select 1 from forms where client_id = $1 limit 1`);
const CUSTOMER = statement(`
  select id from contacts where client_id = $1 and contact_type = 'customer' and deleted_at is null order by id limit 1`);
const INSERT_TEAM = statement(`insert into teams (team_id, client_id, name) values ($1, $2, $3)`);
const INSERT_MEMBERS = statement(`
  insert into team_memberships (team_id, client_id, user_id) select $1, $2, id from users where client_id = $2`);

/** A team, a form, an invoice and a quote of the demo tenant, made once. */
export async function ensureDemoRecords(tx: TenantTransaction, caller: Caller): Promise<void> {
  if ((await tx.query(HAS_FORM, [tx.clientId])).length > 0) return;
  const teamId = randomUUID();
  tx.write(INSERT_TEAM, [teamId, tx.clientId, DEMO_TEAM]);
  tx.write(INSERT_MEMBERS, [teamId, tx.clientId]);
  await createForm(tx, caller, CreateForm.parse(DEMO_FORM));
  const [customer] = await tx.query<{ id: number }>(CUSTOMER, [tx.clientId]);
  if (customer === undefined) return;
  const invoice = CreateFinanceDocument.parse({ ...DEMO_INVOICE, contact_id: customer.id });
  const now = Date.now();
  const { id } = await createFinanceDocument(tx, caller, { input: invoice, now });
  await issueFinanceDocument(tx, caller, { ref: { document_type: 'invoice', document_id: id }, now });
  const quote = CreateFinanceDocument.parse({ ...DEMO_QUOTE, contact_id: customer.id });
  await createFinanceDocument(tx, caller, { input: quote, now });
}
