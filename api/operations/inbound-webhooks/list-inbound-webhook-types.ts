import { z } from 'zod';
import { INBOUND_BODIES } from '../../../domain/contracts/inbound-bodies.ts';
import { INBOUND_TYPES, InboundTypeView } from '../../../domain/contracts/inbound-webhooks.ts';
import type { InboundTypeData } from '../../../domain/contracts/inbound-webhooks.ts';
import { jsonSchemaOf } from '../../../domain/contracts/json-schema.ts';
import { operation } from '../../operation.ts';
import { AREA, PATH } from './shared.ts';

let types: InboundTypeData[] | undefined;

export const listInboundWebhookTypesOperation = operation({
  name: 'list-inbound-webhook-types',
  title: 'List the types of inbound webhooks',
  description: 'Returns each webhook_type with what is done with a call, the JSON Schema of its body, and a sample.',
  area: AREA,
  scopes: ['webhooks:read'],
  input: z.strictObject({}),
  output: z.array(InboundTypeView),
  effects: 'read',
  route: { method: 'get', path: `${PATH}/types`, auth: ['jwt'] },
  run: () => {
    types ??= INBOUND_TYPES.map((type) => {
      const { description, schema, sample } = INBOUND_BODIES[type];
      return { type, description, schema: jsonSchemaOf(schema, 'input'), sample };
    });
    return Promise.resolve({ data: types });
  },
});
