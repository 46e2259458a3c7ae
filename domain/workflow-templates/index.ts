export { branchHolds, performStep } from './perform-step.ts';
export { beginRun, finishRun, RunCancelled } from './run-state.ts';
export { cancelRun, listRuns, getRunWithSteps, runTemplate } from './runs.service.ts';
export { forgetErased } from './erase.service.ts';
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
