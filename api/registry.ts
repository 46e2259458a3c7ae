import { apiKeyOperations } from './operations/api-keys/index.ts';
import { appointmentOperations } from './operations/appointments/index.ts';
import { attachmentOperations } from './operations/attachments/index.ts';
import { attendanceOperations } from './operations/attendance/index.ts';
import { authOperations } from './operations/auth/index.ts';
import { commentOperations } from './operations/comments/index.ts';
import { contactOperations } from './operations/contacts/index.ts';
import { clientOperations } from './operations/client/index.ts';
import { cronOperations } from './operations/cron/index.ts';
import { deliveryOperations } from './operations/deliveries/index.ts';
import { employeeOperations } from './operations/employees/index.ts';
import { eventOperations } from './operations/events/index.ts';
import { financeOperations } from './operations/finance/index.ts';
import { formOperations } from './operations/forms/index.ts';
import { inboundWebhookOperations } from './operations/inbound-webhooks/index.ts';
import { industrySolutionOperations } from './operations/industry-solutions/index.ts';
import { mailOperations } from './operations/mails/index.ts';
import { oauthApplicationOperations } from './operations/oauth-applications/index.ts';
import { paymentOperations } from './operations/payments/index.ts';
import { peopleOperations } from './operations/people/index.ts';
import { recurringJobOperations } from './operations/recurring-jobs/index.ts';
import { teamOperations } from './operations/teams/index.ts';
import { threadOperations } from './operations/threads/index.ts';
import { timeEntryOperations } from './operations/time-entries/index.ts';
import { userOperations } from './operations/users/index.ts';
import { visionOperations } from './operations/vision/index.ts';
import { webhookOperations } from './operations/webhooks/index.ts';
import { workItemOperations } from './operations/work-items/index.ts';
import { workflowTemplateOperations } from './operations/workflow-templates/index.ts';
import { isSunset } from './deprecation.ts';
import type { DetachedOperation, Operation, TenantOperation } from './operation.ts';

/** Every operation, in the order in which the faces list them. A new operation is one file and one line in its area's index. */
export const operations: readonly Operation[] = [
  ...authOperations,
  ...clientOperations,
  ...userOperations,
  ...oauthApplicationOperations,
  ...apiKeyOperations,
  ...workItemOperations,
  ...peopleOperations,
  ...employeeOperations,
  ...teamOperations,
  ...contactOperations,
  ...commentOperations,
  ...attachmentOperations,
  ...timeEntryOperations,
  ...appointmentOperations,
  ...threadOperations,
  ...formOperations,
  ...attendanceOperations,
  ...financeOperations,
  ...paymentOperations,
  ...recurringJobOperations,
  ...workflowTemplateOperations,
  ...industrySolutionOperations,
  ...webhookOperations,
  ...inboundWebhookOperations,
  ...deliveryOperations,
  ...eventOperations,
  ...mailOperations,
  ...visionOperations,
  ...cronOperations,
];

export type Action = TenantOperation | DetachedOperation;

/** The operations that the Public Data API, batch, the tool catalogue and MCP offer, by name. */
export const actions: ReadonlyMap<string, Action> = new Map(
  operations
    .filter((operation): operation is Action => operation.action === true && operation.unit !== 'open')
    .map((action) => [action.name, action]),
);

/** The actions that the catalogues list: all but those past their sunset, which answer 410. */
export function offeredActions(now: number): Action[] {
  return [...actions.values()].filter((action) => !isSunset(action, now));
}
