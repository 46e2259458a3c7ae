import { writeFileSync } from 'node:fs';
import { actionsTable } from './actions-table.ts';

/** `npm run docs:actions`, with prettier after it. */
writeFileSync(new URL('../../docs/actions.md', import.meta.url), actionsTable());
