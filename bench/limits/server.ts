import { generateKeyPair, SignJWT } from 'jose';
import express from 'express';
import type { Express } from 'express';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * The limit rows: the least that an Express server can do for one answer. `bare` answers a small JSON object, `select`
 * one row by primary key, `insert` writes one row (fsync on). Prepared statements and a pool of the API's own size.
 */
const kind = process.argv[2];
const pool = new pg.Pool({ connectionString: process.env['LIMIT_DATABASE_URL'], max: 16 });

const SELECT = { name: 'limit_select', text: 'select id, name, status, payload from limit_rows where id = $1' };
const INSERT = {
  name: 'limit_insert',
  text: 'insert into limit_inserts (name, payload) values ($1, $2) returning id',
};

async function limitApp(): Promise<Express> {
  const app = express();
  // As in the API, so that the limit isn't lowered by work that the API doesn't do.
  app.disable('x-powered-by');
  app.disable('etag');
  if (kind === 'bare') {
    app.get('/bare', (_req, res) => {
      res.json({ status: 'ok', service: 'limit' });
    });
  } else if (kind === 'select') {
    app.get('/select/:id', async (req, res) => {
      const { rows } = await pool.query<Record<string, unknown>>({ ...SELECT, values: [Number(req.params.id)] });
      res.json(rows[0]);
    });
  } else if (kind === 'sign') {
    const { privateKey } = await generateKeyPair('ES256');
    app.get('/sign', async (_req, res) => {
      const token = new SignJWT({ sub: 'limit', scope: 'limit' }).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' });
      res.json({ access_token: await token.setIssuedAt().setExpirationTime('15m').sign(privateKey) });
    });
  } else if (kind === 'insert') {
    app.post('/insert', express.json(), async (req, res) => {
      const body = req.body as Record<string, unknown>;
      const values = [String(body['title']), JSON.stringify(body)];
      const { rows } = await pool.query<{ id: number }>({ ...INSERT, values });
      res.json(rows[0]);
    });
  } else {
    throw new Error('usage: limits/server.ts bare|select|insert|sign');
  }
  return app;
}

const app = await limitApp();
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'ready', port: (server.address() as AddressInfo).port });
});
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
