import { z } from 'zod';
import { canViewAllUsers } from '../../../domain/contracts/caller.ts';
import { WebhookView } from '../../../domain/contracts/webhooks.ts';
import { availableEvents, listWebhooks } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';

export const listWebhooksOperation = operation({
  name: 'list-webhooks',
  title: 'List webhooks',
  description:
    'Lists the outbound webhooks that the caller may see, oldest first: owners and admins see all, others those that they made. Also lists the events that can be subscribed to. Secrets are masked.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:read'],
  input: z.strictObject({}),
  output: z.array(WebhookView),
  extras: {
    available_events: z.array(z.string()).describe('Events that the finance tier of the client includes'),
    can_view_all_users: z.boolean().describe("Whether the caller sees everyone's webhooks"),
  },
  effects: 'read',
  route: { method: 'get', path: '/api/v1/work-items/webhooks', auth: ['jwt'] },
  run: async ({ tx, caller }) => ({
    data: await listWebhooks(tx, caller),
    extras: {
      available_events: availableEvents(caller.client.finance_tier),
      can_view_all_users: canViewAllUsers(caller),
    },
  }),
});
