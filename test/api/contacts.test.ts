import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findContactIdByTaxNumber } from '../../domain/contacts/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const PATH = '/api/v1/contacts';

let api: ApiFixture;
let key: string;
let token: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  key = await api.acme.key();
  token = await api.acme.token();
});
afterAll(() => api.close());

const act = (action: string, input: Record<string, unknown> = {}, apiKey = key) =>
  api.act(apiKey, { action, ...input });
const create = async (input: Record<string, unknown>) => (await act('create-contact', input)).body.data;
const rest = (method: 'get' | 'post' | 'patch' | 'delete', path = PATH, bearer = token) =>
  api.http()[method](path).set('Authorization', `Bearer ${bearer}`);
const names = (contacts: { name: string }[]) => contacts.map(({ name }) => name);

const EVENTS = statement(
  `select name, data from events where client_id = $1 and data->'contact'->>'id' = $2 order by id`,
);
const AUDIT = statement(`
  select action, actor_type, details from audit_entries
  where client_id = $1 and subject_type = 'contact' and subject_id = $2 order by id`);
const recorded = (sql: typeof EVENTS, id: number) => api.services.system.query(sql, [api.acme.clientId, String(id)]);

const FULL = {
  contact_type: 'both',
  name: 'Kruger Farms',
  email: 'office@kruger.example',
  phone: '+27 13 555 0101',
  mobile: '+27 82 555 0102',
  address: '1 Farm Road',
  city: 'Mbombela',
  postal_code: '1200',
  country: 'ZA',
  tax_number: '4123456789',
  registration_number: '2001/012345/07',
  website: 'https://kruger.example',
  notes: 'Gate code 4711',
  is_active: true,
};

describe('create-contact', () => {
  it('takes every field, and both faces read the same record back', async () => {
    const created = await rest('post').send(FULL);
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({ ...FULL, id: expect.any(Number), client_id: api.acme.clientId });
    const { id } = created.body.data;
    expect((await act('get-contact', { contact_id: id })).body.data).toEqual(created.body.data);
    expect((await rest('get', `${PATH}/${String(id)}`)).body.data).toEqual(created.body.data);
  });

  it('needs a name only: a customer in use, and null for the rest', async () => {
    const { body } = await rest('post').send({ name: '  Zoë  ' });
    expect(body.data).toMatchObject({
      name: 'Zoë',
      contact_type: 'customer',
      is_active: true,
      email: null,
      notes: null,
    });
  });

  it('reports contact.created and who did it', async () => {
    const contact = await create({ name: 'Reported' });
    expect(await recorded(EVENTS, contact.id)).toEqual([{ name: 'contact.created', data: { contact } }]);
    expect(await recorded(AUDIT, contact.id)).toMatchObject([{ action: 'contact.created', actor_type: 'api_key' }]);
  });

  it.each([
    [{}, 'BAD_REQUEST', 'name'],
    [{ name: 7 }, 'BAD_REQUEST', 'name'],
    [{ name: ' ' }, 'VALIDATION_ERROR', 'name'],
    [{ name: 'A', email: 'no address' }, 'VALIDATION_ERROR', 'email'],
    [{ name: 'A', website: 'javascript:alert(1)' }, 'VALIDATION_ERROR', 'website'],
    [{ name: 'A', country: 'XX' }, 'VALIDATION_ERROR', 'country'],
    [{ name: 'A', country: 'za' }, 'VALIDATION_ERROR', 'country'],
    [{ name: 'A', contact_type: 'friend' }, 'VALIDATION_ERROR', 'contact_type'],
    [{ name: 'A', emial: 'a@b.example' }, 'VALIDATION_ERROR', 'emial'],
    [{ name: 'A', client_id: 1 }, 'VALIDATION_ERROR', 'client_id'],
  ])('refuses %j', async (input, code, field) => {
    const answer = await rest('post').send(input);
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details).toMatchObject([{ field }]);
  });

  it('is made once for one Idempotency-Key', async () => {
    const send = () => rest('post').set('Idempotency-Key', 'contact-once').send({ name: 'Once' });
    const [first, second] = [await send(), await send()];
    expect(second.body.data).toEqual(first.body.data);
    expect((await rest('get', `${PATH}?search=once`)).body.meta.pagination.total).toBe(1);
  });
});

describe('update-contact', () => {
  it('changes what is given, clears what is null, and reports the changes', async () => {
    const { id } = await create(FULL);
    const answer = await rest('patch', `${PATH}/${String(id)}`).send({
      name: 'Kruger & Sons',
      phone: null,
      city: 'Mbombela',
    });
    expect(answer.body.data).toMatchObject({ ...FULL, name: 'Kruger & Sons', phone: null });
    const changes = {
      name: { from: 'Kruger Farms', to: 'Kruger & Sons' },
      phone: { from: '+27 13 555 0101', to: null },
    };
    expect((await recorded(EVENTS, id)).at(-1)).toEqual({
      name: 'contact.updated',
      data: { contact: answer.body.data, changes },
    });
    expect((await recorded(AUDIT, id)).at(-1)).toMatchObject({ action: 'contact.updated', details: { changes } });
  });

  it('tells nobody where nothing changes', async () => {
    const contact = await create(FULL);
    const same = await act('update-contact', { contact_id: contact.id, name: FULL.name });
    expect(same.body.data).toEqual(contact);
    expect(await recorded(EVENTS, contact.id)).toHaveLength(1);
  });

  it.each([{ name: null }, { email: 'x' }, { contact_type: null }])('refuses %j', async (input) => {
    const { id } = await create({ name: 'Strict' });
    expect((await rest('patch', `${PATH}/${String(id)}`).send(input)).status).toBe(400);
  });

  it('loses no change when twenty come at once', async () => {
    const { id } = await create({ name: 'Busy' });
    const fields = ['phone', 'mobile', 'address', 'city', 'postal_code', 'tax_number', 'notes'];
    await Promise.all(fields.map((field) => act('update-contact', { contact_id: id, [field]: `new ${field}` })));
    const { data } = (await act('get-contact', { contact_id: id })).body;
    expect(data).toMatchObject(Object.fromEntries(fields.map((field) => [field, `new ${field}`])));
  });
});

describe('delete-contact', () => {
  it('makes it unfindable, inactive and reported, once', async () => {
    const { id } = await create({ name: 'Vanishing' });
    const path = `${PATH}/${String(id)}`;
    const deleted = await rest('delete', path);
    expect({ status: deleted.status, ...deleted.body.data }).toMatchObject({ status: 200, id, is_active: false });
    expectRefusal(await rest('get', path), 404, 'NOT_FOUND');
    expectRefusal(await rest('patch', path).send({ name: 'Back' }), 404, 'NOT_FOUND');
    expectRefusal(await rest('delete', path), 404, 'NOT_FOUND');
    expect((await rest('get', `${PATH}?search=vanishing`)).body.data).toEqual([]);
    expect((await recorded(EVENTS, id)).map(({ name }) => name)).toEqual(['contact.created', 'contact.deleted']);
    expect((await recorded(AUDIT, id)).map(({ action }) => action)).toEqual(['contact.created', 'contact.deleted']);
  });
});

describe('list-contacts', () => {
  let lister: string;
  let bearer: string;
  beforeAll(async () => {
    const tenant = await api.tenant('lister', { tier: 'enterprise' });
    [lister, bearer] = [await tenant.key(), await tenant.token()];
    const contacts = [
      { name: 'Anna Müller', email: 'anna@mueller.example', city: 'Jena' },
      { name: 'Böhm & Co', contact_type: 'supplier', tax_number: 'DE 100%_1' },
      { name: 'Cape Pumps', contact_type: 'both', phone: '+27 21 555 0199' },
      { name: 'Old Supplier', contact_type: 'supplier', is_active: false },
    ];
    for (const contact of contacts) await act('create-contact', contact, lister);
  });
  const found = async (query: Record<string, unknown>) => {
    const { body } = await act('list-contacts', query, lister);
    return { names: names(body.data.contacts), total: body.meta.pagination.total };
  };

  it('gives newest first, 50 at most, and both faces the same', async () => {
    const asked = await rest('get', PATH, bearer);
    expect(names(asked.body.data)).toEqual(['Old Supplier', 'Cape Pumps', 'Böhm & Co', 'Anna Müller']);
    expect(asked.body.meta.pagination).toEqual({ total: 4, limit: 50, offset: 0 });
    expect((await act('list-contacts', {}, lister)).body.data.contacts).toEqual(asked.body.data);
  });

  it('filters by exact type and by use, and pages', async () => {
    expect(await found({ type: 'supplier' })).toEqual({ names: ['Old Supplier', 'Böhm & Co'], total: 2 });
    expect(await found({ type: 'both' })).toEqual({ names: ['Cape Pumps'], total: 1 });
    expect(await found({ is_active: false })).toEqual({ names: ['Old Supplier'], total: 1 });
    expect(await found({ type: 'supplier', is_active: true })).toEqual({ names: ['Böhm & Co'], total: 1 });
    expect(await found({ limit: 2, offset: 1 })).toEqual({ names: ['Cape Pumps', 'Böhm & Co'], total: 4 });
  });

  it.each([
    ['MÜLLER', ['Anna Müller']],
    ['Muller', ['Anna Müller']],
    ['böhm', ['Böhm & Co']],
    ['càpe pümps', ['Cape Pumps']],
    ['１００％', ['Böhm & Co']],
    ['％ müller', []],
    ['müll ann', ['Anna Müller']],
    ['mueller.ex', ['Anna Müller']],
    ['jena', ['Anna Müller']],
    ['555 0199', ['Cape Pumps']],
    ['co', ['Böhm & Co']],
    ['100%_1', ['Böhm & Co']],
    ['%', []],
    ["'; drop table contacts; --", []],
    ['\\', []],
    ['supplier', ['Old Supplier']],
    ['nothing-like-it', []],
  ])('finds %j', async (search, expected) => {
    expect(await found({ search })).toEqual({ names: expected, total: expected.length });
  });

  it('searches within the other filters and pages', async () => {
    expect(await found({ search: 'e', type: 'supplier' })).toEqual({ names: [], total: 0 });
    expect(await found({ search: 'sup', type: 'supplier', is_active: true })).toEqual({ names: [], total: 0 });
    expect(await found({ search: 'p', limit: 1, offset: 0 })).toEqual({ names: ['Cape Pumps'], total: 1 });
  });

  it.each([['type=friend'], ['limit=0'], ['limit=501'], ['offset=-1'], ['search='], ['unknown=1']])(
    'refuses %s',
    async (query) => {
      expect((await rest('get', `${PATH}?${query}`)).status).toBe(400);
    },
  );
});

describe('a tax number', () => {
  it('is found however it is spelled: a supplier before a customer, one in use before another', async () => {
    const tenant = await api.tenant('taxed', { tier: 'enterprise' });
    const taxedKey = await tenant.key();
    const made = async (input: Record<string, unknown>): Promise<number> =>
      (await act('create-contact', { name: 'Pump Parts', ...input }, taxedKey)).body.data.id;
    const found = (taxNumber: string) =>
      api.services.tenants.transaction(tenant.clientId, (tx) => findContactIdByTaxNumber(tx, taxNumber));
    const customer = await made({ tax_number: 'DE 811.569-869' });
    expect(await found('de811569869')).toBe(customer);
    expect(await found('DE811569868')).toBeUndefined();
    const old = await made({ tax_number: '811569869', contact_type: 'supplier', is_active: false });
    expect(await found('DE811569869')).toBe(old);
    const supplier = await made({ tax_number: 'De-811 569 869', contact_type: 'both' });
    expect(await found('DE 811569869')).toBe(supplier);
    await made({ tax_number: '--' });
    expect(await found('--')).toBeUndefined();
  });
});

describe('a search among thousands', () => {
  it('finds the rare and old as well as the common, and counts to 1,000', async () => {
    const tenant = await api.tenant('crowded', { tier: 'enterprise' });
    const crowdedKey = await tenant.key();
    const old = ['Qvist Hydraulics', 'Zz Top Supplies'];
    for (const name of old) await act('create-contact', { name }, crowdedKey);
    await api.services.system.query(
      statement(
        `insert into contacts (client_id, name) select $1, 'Common Trading ' || i from generate_series(1, 3000) i`,
      ),
      [tenant.clientId],
    );
    const search = async (input: Record<string, unknown>) => {
      const { data, meta } = (await act('list-contacts', input, crowdedKey)).body;
      return { names: names(data.contacts), ...meta.pagination };
    };
    expect(await search({ search: 'qvist' })).toMatchObject({ names: ['Qvist Hydraulics'], total: 1 });
    expect(await search({ search: 'zz' })).toMatchObject({ names: ['Zz Top Supplies'], total: 1 });
    expect(await search({ search: 'nowhere' })).toMatchObject({ names: [], total: 0 });
    expect(await search({ search: 'common trading', limit: 2, offset: 1 })).toEqual({
      names: ['Common Trading 2999', 'Common Trading 2998'],
      total: 1000,
      total_is_exact: false,
      limit: 2,
      offset: 1,
    });
    expect(await search({ search: 'common', limit: 2, offset: 2999 })).toMatchObject({ names: ['Common Trading 1'] });
    expect((await search({ search: '1', limit: 100 })).total).toBeGreaterThanOrEqual(100);
    expect(await search({ search: 'common', is_active: false })).toMatchObject({ names: [], total: 0 });
    const theirs = await act('list-contacts', { search: 'qvist' }, await api.rival.key());
    expect(theirs.body.data.contacts).toEqual([]);
  });
});

describe('who may', () => {
  it.each([
    ['list-contacts', {}, 'contacts:read'],
    ['get-contact', { contact_id: 1 }, 'contacts:read'],
    ['create-contact', { name: 'A' }, 'contacts:write'],
    ['update-contact', { contact_id: 1, name: 'A' }, 'contacts:write'],
  ])('%s needs its scope', async (action, input, scope) => {
    const other = await api.acme.key(['users:read']);
    const answer = await act(action, input, other);
    expectRefusal(answer, 403, 'SCOPE_REQUIRED');
    expect(answer.body.error.message).toContain(scope);
  });

  it('an auditor reads and does not write', async () => {
    const auditor = await api.acme.token('auditor');
    expect((await rest('get', PATH, auditor)).status).toBe(200);
    expectRefusal(await rest('post', PATH, auditor).send({ name: 'A' }), 403, 'SCOPE_REQUIRED');
  });

  it("another client's contact is not there: not to read, find, change or delete", async () => {
    const { id } = await create({ name: 'Secretive Holdings' });
    const [theirs, bearer] = [await api.rival.key(), await api.rival.token()];
    expectRefusal(await act('get-contact', { contact_id: id }, theirs), 404, 'NOT_FOUND');
    expectRefusal(await act('update-contact', { contact_id: id, name: 'Mine' }, theirs), 404, 'NOT_FOUND');
    expectRefusal(await rest('delete', `${PATH}/${String(id)}`, bearer), 404, 'NOT_FOUND');
    const search = await act('list-contacts', { search: 'secretive' }, theirs);
    expect(search.body.data.contacts).toEqual([]);
    expect(search.body.meta.pagination.total).toBe(0);
    expect((await act('get-contact', { contact_id: id })).body.data.name).toBe('Secretive Holdings');
  });

  it('needs a token', async () => {
    expectRefusal(await api.http().get(PATH), 401, 'UNAUTHORIZED');
  });
});
