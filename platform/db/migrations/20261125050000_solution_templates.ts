import { Migration } from '@mikro-orm/migrations';

/**
 * Which of its solution's templates one is, whatever the client calls it by now: a solution that is applied again must not
 * bring a second copy of a template that was renamed.
 */
export class Migration20261125050000_solution_templates extends Migration {
  override up(): void {
    this.addSql(`
      alter table "workflow_templates" add column "solution_template" text null;
      set local role system;
      update workflow_templates set solution_template = name where solution_key is not null;
      reset role;
      drop index "workflow_templates_solution_unique";
      create unique index "workflow_templates_solution_unique" on "workflow_templates" ("client_id", "solution_key", "solution_template") where "solution_key" is not null and "deleted_at" is null;`);
  }
}
