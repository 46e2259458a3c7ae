// What the workers' bundle holds. A workflow that is renamed or removed here strands the running ones.
export { deliverWebhook } from './deliver-webhook.workflow.ts';
export { extractDocument } from './extract-document.workflow.ts';
export { maintenance } from './maintenance.workflow.ts';
