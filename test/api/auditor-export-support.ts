import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Response } from 'supertest';
import type { Role } from '../../domain/contracts/caller.ts';
import { startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

export const PERIOD = { date_from: '2026-07-01', date_to: '2026-09-30' };

interface Issued {
  id: number;
  document_type: string;
  document_number: string;
}

/** A client that keeps books: the full finance tier, and a key for everything. */
export interface BookKeeper {
  tenant: ApiTenant;
  act(action: string, params: object): Promise<Response['body']['data']>;
  /** An issued invoice of 114.99, or whatever else is said. */
  issued(over?: object): Promise<Issued>;
  exported(body: object, role?: Role): Promise<Response>;
}

export interface Books {
  api: ApiFixture;
  /** Passes by every right. */
  superuser: pg.Client;
  keeper(tier?: string): Promise<BookKeeper>;
  exported(tenant: ApiTenant, body: object, role?: Role): Promise<Response>;
  /** Changes what the services never would. */
  tamper(sql: string, values: unknown[]): Promise<void>;
  close(): Promise<void>;
}

export async function startBooks(): Promise<Books> {
  const api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  const superuser = new pg.Client({ connectionString: api.database.superuserUrl });
  await superuser.connect();
  const exported: Books['exported'] = async (tenant, body, role = 'auditor') =>
    api
      .http()
      .post('/api/v1/finance/auditor-export')
      .auth(await tenant.token(role), { type: 'bearer' })
      .timeout(70_000)
      .send(body);
  return {
    api,
    superuser,
    exported,
    keeper: async (finance_tier = 'full') => {
      const tenant = await api.tenant(`books-${randomUUID()}`, { tier: 'enterprise', finance_tier });
      const key = await tenant.key();
      const act: BookKeeper['act'] = async (action, params) => {
        const answer = await api.act(key, { action, ...params });
        expect(answer.body).toMatchObject({ success: true });
        return answer.body.data;
      };
      const issued = async (over: object = {}): Promise<Issued> => {
        const draft = await act('create-finance-document', { ...invoice(), ...over });
        return act('issue-finance-document', { document_type: draft.document_type, document_id: draft.id });
      };
      return { tenant, act, issued, exported: (body, role) => exported(tenant, body, role) };
    },
    tamper: async (sql, values) => {
      await superuser.query(`set session_replication_role = replica`);
      await superuser.query(sql, values);
      await superuser.query(`set session_replication_role = origin`);
    },
    close: async () => {
      await superuser.end();
      await api.close();
    },
  };
}

const invoice = (): object => ({
  document_type: 'invoice',
  contact_name: `Customer ${randomUUID()}`,
  document_date: '2026-08-15',
  lines: [{ description: 'Work', quantity: 3, unit_price: 33.33, tax_rate: 15 }],
});
