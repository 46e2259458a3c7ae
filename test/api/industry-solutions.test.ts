import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { caller } from './workflow-templates-support.ts';
import type { Call } from './workflow-templates-support.ts';

let api: ApiFixture;
let call: Call;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  call = caller(api);
});
afterAll(() => api.close());

describe('industry solutions', () => {
  it('offers six, each with its templates', async () => {
    const answer = await call('get', '/industry-solutions', undefined, { role: 'member' });
    expect(answer.body.data.map((solution: { solution_key: string }) => solution.solution_key)).toEqual([
      'field-service',
      'retail',
      'manufacturing',
      'logistics',
      'professional-services',
      'property',
    ]);
    for (const solution of answer.body.data) {
      expect(solution.workflows.length).toBeGreaterThanOrEqual(2);
      const text = expect.stringMatching(/./);
      expect(solution).toMatchObject({ solution_name: text, description: text, module: text, is_active: true });
    }
  });

  it('installs the templates of one, once', async () => {
    const tenant = await api.tenant('applying');
    const as = { tenant };
    const solutions = (await call('get', '/industry-solutions', undefined, as)).body.data;
    for (const { solution_key, workflows } of solutions) {
      const answer = await call('post', `/industry-solutions/${String(solution_key)}/apply`, undefined, as);
      expect(answer.status).toBe(200);
      expect(answer.body.data.installed).toHaveLength(workflows.length);
      const again = await call('post', `/industry-solutions/${String(solution_key)}/apply`, undefined, as);
      expect(again.body.data).toMatchObject({ installed: [], already_installed: workflows.length });
    }
    const templates = (await call('get', '/workflows?status=active', undefined, as)).body.data;
    expect(templates).toHaveLength(12);
    // What is installed is what one could have made oneself.
    for (const { name, description, module, type, trigger_type, config } of templates) {
      const copy = await call(
        'post',
        '/workflows',
        { name, description, module, type, trigger_type, config, status: 'active' },
        as,
      );
      expect(copy.status).toBe(201);
    }
    const after = (await call('get', '/industry-solutions', undefined, as)).body.data;
    expect(after.every((solution: { applied_at: string | null }) => solution.applied_at !== null)).toBe(true);
  });

  it('applied again brings back what was deleted, and no second copy of what was renamed or changed', async () => {
    const as = { tenant: await api.tenant('renaming') };
    const apply = async () => (await call('post', '/industry-solutions/retail/apply', undefined, as)).body.data;
    const [first, second] = (await apply()).installed;
    const { name } = second;
    await call('patch', `/workflows/${String(first.id)}`, { name: 'Ours', status: 'archived' }, as);
    await call('delete', `/workflows/${String(second.id)}`, undefined, as);
    expect(await apply()).toMatchObject({ installed: [{ name, status: 'active' }], already_installed: 1 });
    // A template of one's own may have the name.
    const { config, module } = second;
    expect((await call('post', '/workflows', { name, module, config }, as)).status).toBe(201);
    expect(await apply()).toMatchObject({ installed: [], already_installed: 2 });
  });

  it('is not for members, and not for unknown solutions', async () => {
    expectRefusal(
      await call('post', '/industry-solutions/retail/apply', undefined, { role: 'member' }),
      403,
      'FORBIDDEN',
    );
    expectRefusal(await call('post', '/industry-solutions/fishing/apply'), 404, 'NOT_FOUND');
  });
});
