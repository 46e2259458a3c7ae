import { writeFileSync } from 'node:fs';
import { eventsPage } from './events-page.ts';

/** `node api/docs/write-events.ts`, with `prettier --write docs/events.md` after it. */
writeFileSync(new URL('../../docs/events.md', import.meta.url), eventsPage());
