export { branchHolds, performStep } from './perform-step.ts';
export { beginRun, finishRun } from './run-state.ts';
export { listRuns, getRunWithSteps, runTemplate } from './runs.service.ts';
export { startScheduledRuns, startTriggeredRuns } from './triggers.service.ts';
export {
  createTemplate,
  deleteTemplate,
  getTemplate,
  installTemplate,
  listTemplates,
  mayChangeTemplates,
  updateTemplate,
} from './workflow-templates.service.ts';
