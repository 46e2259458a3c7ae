import { SEARCH_ATTRIBUTE, WORKFLOW } from '../../domain/contracts/workflows.ts';
import type { DeliverWebhookInput, RotateSigningKeyInput, RunTemplateInput } from '../../domain/contracts/workflows.ts';
import type { WorkflowStartRow } from '../../domain/outbox/index.ts';

/** What an operator reads beside a workflow in the Temporal UI. */
export function workflowMemo(row: WorkflowStartRow): Record<string, unknown> {
  if (row.workflow_type === WORKFLOW.runTemplate) {
    const { template_id, template_name, trigger } = row.input as unknown as RunTemplateInput;
    return { client_id: row.client_id, template_id, template: template_name, trigger };
  }
  if (row.workflow_type === WORKFLOW.rotateSigningKey) {
    const { webhook_id, key_version, grace_period_hours, old_key_ends_at } =
      row.input as unknown as RotateSigningKeyInput;
    return { client_id: row.client_id, webhook_id, key_version, grace_period_hours, old_key_ends_at };
  }
  if (row.workflow_type !== WORKFLOW.deliverWebhook) return { client_id: row.client_id };
  const input = row.input as unknown as DeliverWebhookInput;
  return {
    client_id: input.client_id,
    endpoint_url: input.endpoint_url,
    event: input.event_name,
    sends: input.sends,
    last_error: input.error,
    next_attempt_at: input.next_attempt_at,
  };
}

/** Attributes by which the operator finds it. */
export function searchableAttributes(row: WorkflowStartRow): Record<string, string> {
  const attributes: Record<string, string> = { [SEARCH_ATTRIBUTE.clientId]: String(row.client_id) };
  if (row.workflow_type === WORKFLOW.rotateSigningKey || row.workflow_type === WORKFLOW.recoverWebhook) {
    const { webhook_id } = row.input as unknown as Pick<RotateSigningKeyInput, 'webhook_id'>;
    return { ...attributes, [SEARCH_ATTRIBUTE.webhookId]: String(webhook_id) };
  }
  if (row.workflow_type !== WORKFLOW.deliverWebhook) return attributes;
  const input = row.input as unknown as DeliverWebhookInput;
  return {
    ...attributes,
    ...(input.webhook_id === null ? {} : { [SEARCH_ATTRIBUTE.webhookId]: String(input.webhook_id) }),
    [SEARCH_ATTRIBUTE.eventName]: input.event_name,
    [SEARCH_ATTRIBUTE.deliveryStatus]: 'retrying',
  };
}
