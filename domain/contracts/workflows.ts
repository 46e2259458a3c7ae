/** Names by which workflows are started and addressed; the API and the outbox know them, and never the code behind. */
export const WORKFLOW = {
  cancelTemplateRun: 'cancelTemplateRun',
  deliverWebhook: 'deliverWebhook',
  eraseDocument: 'eraseDocument',
  eraseModel: 'eraseModel',
  exportForAuditor: 'exportForAuditor',
  extractDocument: 'extractDocument',
  foldWorkItems: 'foldWorkItems',
  maintenance: 'maintenance',
  generateRecurringJob: 'generateRecurringJob',
  learnCorrection: 'learnCorrection',
  processDocument: 'processDocument',
  processInboundWebhook: 'processInboundWebhook',
  mendDocumentJobs: 'mendDocumentJobs',
  reconcileRecurringJobs: 'reconcileRecurringJobs',
  recoverWebhook: 'recoverWebhook',
  rotateSigningKey: 'rotateSigningKey',
  runTemplate: 'runTemplate',
  startScheduledTemplates: 'startScheduledTemplates',
  sealAuditTrail: 'sealAuditTrail',
  sendMail: 'sendMail',
  syncRecurringSchedule: 'syncRecurringSchedule',
  trainModel: 'trainModel',
  webhookMaintenance: 'webhookMaintenance',
} as const;

export type WorkflowType = (typeof WORKFLOW)[keyof typeof WORKFLOW];

/** What the platform starts by itself, over and over. */
export const SCHEDULE = {
  foldWorkItems: { id: 'fold-work-items', everyMs: 30_000 },
  maintenance: { id: 'maintenance', everyMs: 10 * 60_000 },
  mendDocumentJobs: { id: 'mend-document-jobs', everyMs: 60_000 },
  reconcileRecurringJobs: { id: 'reconcile-recurring-jobs', everyMs: 5 * 60_000 },
  sealAuditTrail: { id: 'seal-audit-trail', everyMs: 60_000 },
  startScheduledTemplates: { id: 'start-scheduled-templates', everyMs: 60_000 },
  webhookMaintenance: { id: 'webhook-maintenance', everyMs: 60 * 60_000 },
} as const;

/** Work of the platform (deliveries, maintenance) and of the document engine runs in separate processes. */
export const TASK_QUEUE = { platform: 'platform', documents: 'documents' } as const;

/**
 * Behind the name of the platform's task queue: that of the activities which write schedules to Temporal. A queue of their
 * own, because a thousand changes at once must not take the slots of deliveries.
 */
export const SCHEDULE_WRITES_SUFFIX = '-schedule-writes';

/**
 * Behind the name of the documents' task queue: that of the activities which read pages. A queue of their own, because what
 * takes milliseconds (opening a file, settling) must not wait for a slot behind what takes seconds.
 */
export const PAGES_SUFFIX = '-pages';

export type TaskQueue = (typeof TASK_QUEUE)[keyof typeof TASK_QUEUE];

/** Indexed attributes an operator can search by in the Temporal UI. All are keywords. */
export const SEARCH_ATTRIBUTE = {
  clientId: 'ClientId',
  webhookId: 'WebhookId',
  eventName: 'EventName',
  deliveryStatus: 'DeliveryStatus',
} as const;

/** Input of `deliverWebhook`: the retries of one round of one delivery, whose first send has already failed. */
export interface DeliverWebhookInput {
  client_id: number;
  delivery_id: number;
  round: number;
  /** Requests made in this round so far: 1, or 0 when the first could not be made for a lack of ours. */
  sends: number;
  /** ISO 8601: when the first retry is due, however late the workflow starts. */
  next_attempt_at: string;
  /** The rest is for the operator who reads the workflow's memo; null for a Document AI callback. */
  webhook_id: number | null;
  event_name: string;
  endpoint_url: string;
  /** What the last send came to, in words. */
  error: string;
}

/** `delivery/<deliveryId>/<round>`: a replay is a new round and so a new workflow. */
export function deliveryWorkflowId(deliveryId: number, round: number): string {
  return `delivery/${String(deliveryId)}/${String(round)}`;
}

/** Signal by which `deliverWebhook` makes its next send at once. */
export const RETRY_NOW = 'retryNow';

/** Input of `recoverWebhook`; what is asked for, and how far it is, stands in the recovery's row. */
export interface RecoverWebhookInput {
  client_id: number;
  recovery_id: string;
  /** The rest is for the operator who reads the workflow's input. */
  webhook_id: number;
  kind: string;
}

export function recoveryWorkflowId(recoveryId: string): string {
  return `webhook-recovery/${recoveryId}`;
}

/** Input of `extractDocument`; everything else stands in the request's row. */
export interface ExtractDocumentInput {
  client_id: number;
  request_id: string;
}

/** Input of a workflow that carries out a call of Document AI. */
export interface DocumentRequestInput extends ExtractDocumentInput {
  /** Nobody waits for it: its pages are read after those of synchronous calls. Absent in histories of before. */
  is_async?: boolean;
}

/** Input of `processDocument`: any other call of Document AI. */
export interface ProcessDocumentInput extends DocumentRequestInput {
  /** For the operator who reads the workflow's input. */
  operation: string;
  /** Whether the pages themselves are read, and whether papers are cut out of them. */
  reads: boolean;
  crops: boolean;
}

/** Input of `eraseDocument`. */
export interface EraseDocumentInput extends ExtractDocumentInput {
  /** Whether the call was under way, so that its workflow has to be stopped first. */
  was_open: boolean;
}

export function eraseWorkflowId(requestId: string): string {
  return `erase/${requestId}`;
}

/** Input of `trainModel`; samples and definition stand in rows. */
export interface TrainModelInput {
  client_id: number;
  model_id: string;
  training_id: string;
}

export function trainingWorkflowId(trainingId: string): string {
  return `train/${trainingId}`;
}

/** Input of `eraseModel`. */
export interface EraseModelInput {
  client_id: number;
  model_id: string;
  /** The training that was under way, whose workflow has to be stopped first. */
  training_id: string | null;
}

export function eraseModelWorkflowId(modelId: string): string {
  return `erase-model/${modelId}`;
}

/** Input of `learnCorrection`; the corrections stand in the result. */
export interface LearnCorrectionInput extends ExtractDocumentInput {
  /** 0-based, among the documents of the result. */
  document_index: number;
}

/** One workflow for each call that corrects. */
export function lessonWorkflowId(correctionId: string): string {
  return `learn/${correctionId}`;
}

/** Input of `runTemplate`; steps and data stand in the run's row. */
export interface RunTemplateInput {
  client_id: number;
  run_id: string;
  /** The rest is for the operator who reads the workflow's memo. */
  template_id: number;
  template_name: string;
  trigger: string;
}

/** Type of the failure by which an activity tells `runTemplate` that its run was cancelled through the API. */
export const RUN_CANCELLED = 'RUN_CANCELLED';

/** Input of `cancelTemplateRun`. */
export type CancelTemplateRunInput = Pick<RunTemplateInput, 'client_id' | 'run_id' | 'template_id'>;

export function cancelTemplateRunWorkflowId(runId: string): string {
  return `cancel-template-run/${runId}`;
}

/** `workflow-template/<template id>/<run id>`. */
export function runTemplateWorkflowId(templateId: number, runId: string): string {
  return `workflow-template/${String(templateId)}/${runId}`;
}

/** Input of `generateRecurringJob` and `syncRecurringSchedule`: which job; everything else stands in its row. */
export interface RecurringJobInput {
  client_id: number;
  recurring_job_id: string;
}

/** Of every recurring job's own Temporal Schedule: `recurring/<uuid>`. */
export const RECURRING_SCHEDULE_PREFIX = 'recurring/';

/** One workflow for each change of the row. */
export function recurringSyncWorkflowId(recurringJobId: string, revision: number): string {
  return `recurring-sync/${recurringJobId}/${String(revision)}`;
}

/** Input of `exportForAuditor`; what is asked for stands in the export's row. */
export interface AuditorExportInput {
  client_id: number;
  export_id: string;
}

export function auditorExportWorkflowId(exportId: string): string {
  return `auditor-export/${exportId}`;
}

/** Input of `sendMail`; the mail itself stands in its row. */
export interface SendMailInput {
  client_id: number;
  mail_id: string;
  /** For the operator who reads the workflow's input. */
  kind: string;
}

export function mailWorkflowId(mailId: string): string {
  return `mail/${mailId}`;
}

/** Input of `rotateSigningKey`: the rotation that put `key_version` in force. */
export interface RotateSigningKeyInput {
  client_id: number;
  webhook_id: number;
  key_version: number;
  grace_period_hours: number;
  /** ISO 8601: when the keys before it end. */
  old_key_ends_at: string;
}

/** One workflow for each rotation. */
export function signingKeyWorkflowId(webhookId: number, keyVersion: number): string {
  return `signing-key/${String(webhookId)}/${String(keyVersion)}`;
}

/** Input of `processInboundWebhook`; the call itself stands in its receipt. */
export interface ProcessInboundInput {
  client_id: number;
  receipt_id: string;
  inbound_webhook_id: string;
  webhook_type: string;
  round: number;
}

/** `inbound/<receipt id>`; processed again, it is a workflow of its own. */
export function inboundWorkflowId(receiptId: string, round: number): string {
  return round === 1 ? `inbound/${receiptId}` : `inbound/${receiptId}/${String(round)}`;
}
