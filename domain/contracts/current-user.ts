import { z } from 'zod';
import { Day, Moment } from './common.ts';

export const GetCurrentUser = z.strictObject({});

/** Who a program acts as and for: what it must know before it can say "me", "today" or an amount. */
export const CurrentUser = z
  .object({
    user: z
      .object({
        user_id: z.int().describe('What assigned_to, user_id and the like take').meta({ example: 7 }),
        name: z.string().meta({ example: 'Thandi Nkosi' }),
        role: z.enum(['owner', 'admin', 'member', 'auditor']),
        employee_id: z.int().nullable().describe('Its employee record; null where it has none').meta({ example: 12 }),
      })
      .describe('To whom the API key belongs: the author of comments and messages'),
    client: z
      .object({
        client_id: z.int().meta({ example: 1 }),
        name: z.string().meta({ example: 'Acme Pumps' }),
        country: z.string().describe('ISO 3166').meta({ example: 'ZA' }),
        currency: z.string().describe('ISO 4217; of finance documents that name none').meta({ example: 'ZAR' }),
        timezone: z
          .string()
          .describe('IANA; its days are due dates and timesheets')
          .meta({ example: 'Africa/Johannesburg' }),
        finance_tier: z.string().describe('none, basic, standard or full: which finance documents there are'),
      })
      .describe('Whose records all actions read and write'),
    scopes: z
      .array(z.string())
      .describe('What the key may do; * is everything')
      .meta({ example: ['work_items:read'] }),
    now: Moment,
    today: Day.describe("The day that it is in the client's time zone"),
  })
  .meta({ id: 'CurrentUser' });
export type CurrentUser = z.output<typeof CurrentUser>;
