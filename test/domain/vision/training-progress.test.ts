import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ModelDetailData } from '../../../domain/contracts/vision-models.ts';
import type { TrainModelInput } from '../../../domain/contracts/workflows.ts';
import { completeTraining, createModel, failTraining, getModel, openTraining } from '../../../domain/vision/index.ts';
import { statement } from '../../../platform/db/statement.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';
import { Tenant } from '../../worker/tenant.ts';

const EVENTS = statement(`select count(*)::int as count from events where client_id = $1 and name = $2`);
const REFUSED = { code: 'UNSUPPORTED_TYPE', message: 'documents[0]: no PDF or picture' } as const;

let database: TestDatabase;
let tenant: Tenant;
beforeAll(async () => {
  database = await testDatabase();
  tenant = await Tenant.create(database, 'insurer');
});
afterAll(async () => {
  await tenant.close();
  await database.drop();
});

const newModel = (): Promise<ModelDetailData> =>
  tenant.tenants.transaction(tenant.clientId, (tx) =>
    createModel(tx, tenant.caller, {
      name: 'Policies',
      document_type: 'custom',
      fields: [{ name: 'policy_number', type: 'string', required: true }],
    }),
  );

async function begin(modelId: string, numbers: readonly string[]): Promise<TrainModelInput> {
  const trainingId = randomUUID();
  const samples = numbers.map((policy_number) => ({ policy_number }));
  await tenant.tenants.transaction(tenant.clientId, (tx) =>
    openTraining(tx, tenant.caller, { modelId, trainingId, samples }),
  );
  return { client_id: tenant.clientId, model_id: modelId, training_id: trainingId };
}

const shown = (modelId: string): Promise<ModelDetailData> =>
  tenant.tenants.transaction(tenant.clientId, (tx) => getModel(tx, modelId));

describe('a training that fails', () => {
  it('takes the samples that it brought with it: nobody sees them, or trains on them, once it has failed', async () => {
    const { id } = await newModel();
    const first = await begin(id, ['A', 'B', 'C']);
    await completeTraining(tenant.tenants, first, { parameters: {}, accuracy: 1 }, Date.now());
    const second = await begin(id, ['D', 'broken']);
    expect(await shown(id)).toMatchObject({ status: 'training', samples: 5 });

    await failTraining(tenant.tenants, second, REFUSED, Date.now());
    expect(await shown(id)).toMatchObject({ status: 'failed', version: 1, samples: 3 });
    await begin(id, ['E']);
    expect(await shown(id)).toMatchObject({ status: 'training', samples: 4 });
  });

  it('is told of once, and said again leaves what was sent since alone', async () => {
    const { id } = await newModel();
    const failed = await begin(id, ['A', 'B']);
    await failTraining(tenant.tenants, failed, REFUSED, Date.now());
    const [before] = await tenant.system.query(EVENTS, [tenant.clientId, 'vision.model.failed']);
    await begin(id, ['C', 'D']);
    await failTraining(tenant.tenants, failed, REFUSED, Date.now());
    expect(await shown(id)).toMatchObject({ status: 'training', samples: 2 });
    expect(await tenant.system.query(EVENTS, [tenant.clientId, 'vision.model.failed'])).toEqual([before]);
  });
});
