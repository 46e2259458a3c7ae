import type { VisionOperation, VisionOptions } from '../contracts/vision-requests.ts';
import type { PipelineStepInput } from '../contracts/vision-steps.ts';
import { TASK_QUEUE, WORKFLOW } from '../contracts/workflows.ts';
import type { DocumentRequestInput, ProcessDocumentInput, TaskQueue, WorkflowType } from '../contracts/workflows.ts';

/** What a call asks for. */
export interface VisionWork {
  operation: VisionOperation;
  options: VisionOptions;
}

/** The same as a workflow is told of it. */
export interface VisionJob extends VisionWork {
  is_async: boolean;
}

interface VisionWorkflow {
  workflowType: WorkflowType;
  workflowId: string;
  taskQueue: TaskQueue;
  input: DocumentRequestInput | ProcessDocumentInput;
}

/** The workflow that carries a call out; the outbox and the API start it under the same id. */
export function visionWorkflow(clientId: number, requestId: string, job: VisionJob): VisionWorkflow {
  const { operation, is_async } = job;
  const actions = stepsOf(job).map((step) => step.action);
  const ids = { client_id: clientId, request_id: requestId, is_async };
  const started = { workflowId: requestId, taskQueue: TASK_QUEUE.documents };
  if (operation === 'extract' && actions.length === 1) {
    return { ...started, workflowType: WORKFLOW.extractDocument, input: ids };
  }
  const crops = actions.includes('crop');
  // What is cut out of a page is read instead of the page, unless the pages are told apart by what they say.
  const input = { ...ids, operation, crops, reads: !crops || actions.includes('split') };
  return { ...started, workflowType: WORKFLOW.processDocument, input };
}

/** Every call as the steps of a pipeline. */
export function stepsOf({ operation, options }: VisionWork): PipelineStepInput[] {
  if (operation === 'pipeline') return options.steps ?? [];
  if (operation !== 'extract') return [{ action: operation }];
  const { document_type = 'auto', extract_line_items = true, confidence_threshold = 0.5, validation } = options;
  const extraction = { document_type, extract_line_items, confidence_threshold };
  return [
    ...(options.split === true ? [{ action: 'split' as const }] : []),
    ...(options.crop === true ? [{ action: 'crop' as const }] : []),
    { action: 'extract', options: { ...extraction, ...(validation === undefined ? {} : { validation }) } },
  ];
}
