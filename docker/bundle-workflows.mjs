import { createLogger } from '../platform/log.ts';
import { workflowBundle } from '../worker/workflow-bundle.ts';

/** Part of the image's build: leaves the workflow bundle where the workers look for it. */
const { codePath } = await workflowBundle('var/cache', createLogger('build', 'info'));
process.stdout.write(`${codePath}\n`);
