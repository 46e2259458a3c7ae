import { z } from 'zod';
import { canViewAllUsers } from '../../../domain/contracts/caller.ts';
import { INBOUND_AUTH_METHODS, INBOUND_TYPES, InboundWebhookView } from '../../../domain/contracts/inbound-webhooks.ts';
import { listInboundWebhooks } from '../../../domain/inbound-webhooks/index.ts';
import { operation } from '../../operation.ts';
import { AREA, PATH } from './shared.ts';

export const listInboundWebhooksOperation = operation({
  name: 'list-inbound-webhooks',
  title: 'List inbound webhooks',
  description: 'Lists the inbound webhooks that the caller may see, newest first, and what new ones can be.',
  area: AREA,
  scopes: ['webhooks:read'],
  input: z.strictObject({}),
  output: z.array(InboundWebhookView),
  extras: {
    available_types: z.array(z.enum(INBOUND_TYPES)).describe('Every webhook_type'),
    available_auth_methods: z.array(z.enum(INBOUND_AUTH_METHODS)).describe('Every auth_method'),
    can_view_all_users: z.boolean().describe("Whether the caller sees everyone's inbound webhooks"),
  },
  effects: 'read',
  route: { method: 'get', path: PATH, auth: ['jwt'] },
  run: async ({ tx, caller }) => ({
    data: await listInboundWebhooks(tx, caller),
    extras: {
      available_types: [...INBOUND_TYPES],
      available_auth_methods: [...INBOUND_AUTH_METHODS],
      can_view_all_users: canViewAllUsers(caller),
    },
  }),
});
