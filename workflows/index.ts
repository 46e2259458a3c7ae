// What the workers' bundle holds. A workflow that is renamed or removed here strands the running ones.
export { exportForAuditor } from './auditor-export.workflow.ts';
export { cancelTemplateRun } from './cancel-template-run.workflow.ts';
export { deliverWebhook } from './deliver-webhook.workflow.ts';
export { extractDocument } from './extract-document.workflow.ts';
export { foldWorkItems } from './fold-work-items.workflow.ts';
export { generateRecurringJob } from './generate-recurring-job.workflow.ts';
export { maintenance, webhookMaintenance } from './maintenance.workflow.ts';
export { processInboundWebhook } from './process-inbound-webhook.workflow.ts';
export { reconcileRecurringJobs } from './reconcile-recurring-jobs.workflow.ts';
export { recoverWebhook } from './recover-webhook.workflow.ts';
export { rotateSigningKey } from './rotate-signing-key.workflow.ts';
export { runTemplate } from './run-template.workflow.ts';
export { sealAuditTrail } from './seal-audit-trail.workflow.ts';
export { sendMail } from './send-mail.workflow.ts';
export { startScheduledTemplates } from './start-scheduled-templates.workflow.ts';
export { syncRecurringSchedule } from './sync-recurring-schedule.workflow.ts';
