import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

/** Custom models with their trainings and samples, what corrections taught, and charts of accounts. */
export class Migration20261124010000_document_ai_learning extends Migration {
  override up(): void {
    for (const sql of [MODELS, LESSONS, ACCOUNTS]) this.addSql(sql);
    for (const table of TABLES) this.addSql(tenantWall(table));
    this.addSql('grant usage, select on all sequences in schema public to app, system;');
  }
}

const TABLES = [
  'vision_models',
  'vision_trainings',
  'vision_samples',
  'vision_lessons',
  'ledger_accounts',
  'account_lessons',
];

const MODELS = `
    create table "vision_models" (
      "id" bigserial primary key,
      "client_id" int not null,
      "model_id" text not null,
      "name" text not null,
      "fields" jsonb not null,
      "status" text not null default 'draft',
      "version" int not null default 0,
      "training_id" uuid null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    alter table "vision_models" add constraint "vision_models_model_unique" unique ("client_id", "model_id");
    create table "vision_trainings" (
      "id" bigserial primary key,
      "client_id" int not null,
      "training_id" uuid not null,
      "model_id" text not null,
      "status" text not null default 'training',
      "samples" int not null,
      "version" int null,
      "parameters" jsonb null,
      "accuracy" real null,
      "webhook_url" text null,
      "api_key_id" int null,
      "oauth_application_id" int null,
      "error_code" text null,
      "error_message" text null,
      "created_at" timestamptz(3) not null default now(),
      "finished_at" timestamptz(3) null
    );
    alter table "vision_trainings" add constraint "vision_trainings_training_unique" unique ("training_id");
    create index "vision_trainings_model_index" on "vision_trainings" ("client_id", "model_id", "version");
    create table "vision_samples" (
      "id" bigserial primary key,
      "client_id" int not null,
      "model_id" text not null,
      "training_id" uuid not null,
      "index" int not null,
      "annotations" jsonb not null,
      "pages" int null,
      "created_at" timestamptz(3) not null default now()
    );
    alter table "vision_samples" add constraint "vision_samples_index_unique" unique ("client_id", "training_id", "index");
    create index "vision_samples_model_index" on "vision_samples" ("client_id", "model_id", "id");`;

const LESSONS = `
    create table "vision_lessons" (
      "id" bigserial primary key,
      "client_id" int not null,
      "request_id" uuid not null,
      "document_index" int not null,
      "document_type" text not null,
      "issuer_keys" text[] not null,
      "lesson" jsonb not null,
      "updated_at" timestamptz(3) not null default now()
    );
    alter table "vision_lessons" add constraint "vision_lessons_document_unique"
      unique ("client_id", "request_id", "document_index");
    create index "vision_lessons_client_index" on "vision_lessons" ("client_id", "updated_at");`;

const ACCOUNTS = `
    create table "ledger_accounts" (
      "id" bigserial primary key,
      "client_id" int not null,
      "position" int not null,
      "gl_code" text not null,
      "gl_name" text not null,
      "keywords" text[] not null default '{}',
      "is_active" boolean not null default true,
      "created_at" timestamptz(3) not null default now()
    );
    alter table "ledger_accounts" add constraint "ledger_accounts_code_unique" unique ("client_id", "gl_code");
    create table "account_lessons" (
      "id" bigserial primary key,
      "client_id" int not null,
      "request_id" uuid not null,
      "document_index" int not null,
      "line" int not null,
      "description" text not null,
      "vendor" text null,
      "gl_code" text not null,
      "updated_at" timestamptz(3) not null default now()
    );
    alter table "account_lessons" add constraint "account_lessons_line_unique"
      unique ("client_id", "request_id", "document_index", "line");
    create index "account_lessons_client_index" on "account_lessons" ("client_id", "updated_at");`;
