import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { statement } from '../../platform/db/statement.ts';
import { TemporalGateway } from '../../platform/temporal.ts';
import { PlatformProcesses } from '../chaos/platform-processes.ts';
import { startReceiver, temporalAddress } from '../support/stack.ts';
import type { Receiver, SpawnedProcess } from '../support/stack.ts';
import { recordHistory } from '../workflows/histories.ts';
import { LearningClient, policy, policyPage } from './vision-learning-support.ts';

const EVENTS = statement(
  `select name, data from events where client_id = $1 and name like 'vision.model.%' order by id`,
);
const SAMPLES = statement(`select count(*)::int as count from vision_samples where client_id = $1 and model_id = $2`);

const FIELDS = [
  { name: 'policy_number', type: 'string', required: true },
  { name: 'holder', type: 'text', required: true },
  { name: 'inception', type: 'date', required: true },
  { name: 'premium', type: 'currency', required: true },
];

let platform: PlatformProcesses;
let client: LearningClient;
let receiver: Receiver;
let worker: SpawnedProcess;
let temporal: TemporalGateway;

beforeAll(async () => {
  platform = await PlatformProcesses.create({ DOCUMENT_PROCESSES: '1' });
  receiver = await startReceiver();
  const [api, documents] = await Promise.all([
    platform.startApi(),
    platform.startWorker('documents'),
    platform.startWorker('platform'),
  ]);
  worker = documents;
  temporal = new TemporalGateway({ address: temporalAddress(), namespace: 'default', taskQueuePrefix: '' });
  client = await LearningClient.create(platform, api.url, 'insurer');
});

afterAll(async () => {
  await Promise.all([client.close(), platform.close()]);
  await Promise.all([receiver.close(), temporal.close()]);
});

async function newModel(): Promise<string> {
  const { body } = await client.call('POST', 'models', { name: 'Policies', document_type: 'custom', fields: FIELDS });
  return (body['model'] as { id: string }).id;
}

/** Keeps a run for `replay.test.ts`, when asked to. */
async function keepRun(name: string, workflowId: string): Promise<void> {
  if (process.env['RECORD_HISTORIES'] === undefined) return;
  const handle = (await temporal.client()).workflow.getHandle(workflowId);
  await recordHistory(name, await handle.fetchHistory());
}

const samplesOf = (numbers: readonly number[]) =>
  Promise.all(numbers.map(async (n) => ({ file_base64: await policyPage(policy(n)), annotations: { ...policy(n) } })));

describe('a custom model', () => {
  it('is trained on six samples, tells of it, and extracts documents that it has not seen; trained again it can be rolled back', async () => {
    const id = await newModel();
    const accepted = await client.call('POST', `models/${id}/train`, {
      documents: await samplesOf([0, 1, 2, 3, 4, 5]),
      webhook_url: `${receiver.url}/ready`,
    });
    expect(accepted).toMatchObject({ status: 202, body: { samples: 6 } });
    const model = await client.trained(id);
    expect(model).toMatchObject({
      status: 'ready',
      version: 1,
      samples: 6,
      last_training: { status: 'ready', error: null },
    });
    expect(model['accuracy']).toBeGreaterThanOrEqual(0.9);

    for (const n of [6, 7, 8]) {
      const result = await client.extract(await policyPage(policy(n)), { document_type: `custom:${id}` });
      const values = Object.fromEntries(Object.entries(result.fields).map(([name, field]) => [name, field?.value]));
      expect(values).toEqual({ ...policy(n) });
      expect(result).toMatchObject({ document_type: `custom:${id}`, credits_used: 1 });
    }

    const [told] = await receiver.waitFor(1, { where: ({ path }) => path === '/ready' });
    expect(told?.json).toMatchObject({
      event: 'vision.model.ready',
      model_id: id,
      training_id: accepted.body['training_id'],
      samples: 6,
      accuracy: model['accuracy'],
    });
    const signature = `sha256=${createHmac('sha256', client.key)
      .update(told?.rawBody ?? '')
      .digest('hex')}`;
    expect(told?.headers['x-service-signature']).toBe(signature);

    await keepRun('train-model.trained', `train/${String(accepted.body['training_id'])}`);
    await client.call('POST', `models/${id}/train`, { documents: await samplesOf([9]) });
    const retrained = await client.trained(id);
    expect(retrained).toMatchObject({ status: 'ready', version: 2, samples: 7 });
    const back = await client.call('POST', `models/${id}/rollback`, {});
    expect(back.body['model']).toMatchObject({ status: 'ready', version: 1, accuracy: model['accuracy'] });
    const forth = await client.call('POST', `models/${id}/rollback`, { version: 2 });
    expect(forth.body['model']).toMatchObject({ version: 2 });
    expect(await client.call('POST', `models/${id}/rollback`, { version: 9 })).toMatchObject({ status: 409 });
  }, 120_000);

  it('whose training meets a broken file fails and says which one; what served before goes on to serve', async () => {
    const id = await newModel();
    await client.call('POST', `models/${id}/train`, { documents: await samplesOf([0, 1, 2]) });
    expect(await client.trained(id)).toMatchObject({ status: 'ready', version: 1 });
    const broken = Buffer.from('no document at all').toString('base64');
    const [good] = await samplesOf([3]);
    const documents = [good, { file_base64: broken, annotations: { holder: 'x' } }];
    const { body } = await client.call('POST', `models/${id}/train`, { documents });
    const failed = await client.trained(id);
    expect(failed).toMatchObject({
      status: 'failed',
      version: 1,
      samples: 3,
      last_training: {
        training_id: body['training_id'],
        status: 'failed',
        error: { code: 'UNSUPPORTED_TYPE', message: expect.stringMatching(/^documents\[1\]: /) },
      },
    });
    await keepRun('train-model.refused', `train/${String(body['training_id'])}`);
    const { clientId, system } = client.tenant;
    expect(await system.query(SAMPLES, [clientId, id])).toEqual([{ count: 3 }]);
    const events = await system.query<{ name: string; data: Record<string, unknown> }>(EVENTS, [clientId]);
    expect(events.find(({ name }) => name === 'vision.model.failed')?.data).toMatchObject({
      model_id: id,
      accuracy: null,
    });
    const result = await client.extract(await policyPage(policy(7)), { document_type: `custom:${id}` });
    expect(result.fields['policy_number']?.value).toBe(policy(7).policy_number);
  }, 120_000);

  it('works as a step of a pipeline, and its documents leave the disk when it is deleted', async () => {
    const id = await newModel();
    await client.call('POST', `models/${id}/train`, { documents: await samplesOf([0, 1, 2, 3]) });
    await client.trained(id);
    const steps = [{ action: 'split' }, { action: 'extract', options: { document_type: `custom:${id}` } }];
    const { body } = await client.call('POST', 'pipeline', { file_base64: await policyPage(policy(8)), steps });
    expect(body['results']).toMatchObject([
      { document_type: `custom:${id}`, fields: { holder: { value: policy(8).holder } } },
    ]);
    const folder = join(platform.environment['BLOB_DIR'] ?? '', 'vision-models', id);
    await access(folder);
    await client.call('DELETE', `models/${id}`);
    await expect(access(folder)).rejects.toThrow('ENOENT');
    await temporal.settled(`erase-model/${id}`, 20_000);
    await keepRun('erase-model.erased', `erase-model/${id}`);
    const gone = await client.call('POST', 'extract', { file_base64: 'aaaa', document_type: `custom:${id}` });
    expect(gone.status).toBe(404);
  }, 120_000);

  it('whose worker is killed with kill -9 amid the reading of its samples is trained all the same, and told of once', async () => {
    const id = await newModel();
    const documents = await samplesOf([0, 1, 2, 3, 4, 5, 6, 7]);
    const { body } = await client.call('POST', `models/${id}/train`, { documents });
    const trainingId = String(body['training_id']);
    const folder = join(platform.environment['BLOB_DIR'] ?? '', 'vision-models', id, trainingId);
    const pagesRead = async (): Promise<string[]> =>
      (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('page-1.json'));
    while ((await pagesRead()).length === 0) await sleep(5);
    await worker.kill9();
    const [first = ''] = await pagesRead();
    const readAt = (await stat(join(folder, first))).mtimeMs;
    expect((await client.call('GET', `models/${id}`)).body['model']).toMatchObject({ status: 'training' });

    worker = await platform.startWorker('documents');
    expect(await client.trained(id)).toMatchObject({ status: 'ready', version: 1, samples: 8 });
    expect((await stat(join(folder, first))).mtimeMs).toBe(readAt);
    const { clientId, system } = client.tenant;
    const events = await system.query<{ data: Record<string, unknown> }>(EVENTS, [clientId]);
    expect(events.filter(({ data }) => data['training_id'] === trainingId)).toHaveLength(1);
  }, 180_000);
});
