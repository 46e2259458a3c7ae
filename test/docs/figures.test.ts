import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { CURRENT_VERSION, FIRST_VERSION } from '../../api/versions.ts';
import { MAX_REPLAYED_AT_ONCE } from '../../domain/contracts/deliveries.ts';
import { EVENT_NAMES } from '../../domain/contracts/event-names.ts';
import { DOCUMENT_TYPES } from '../../domain/contracts/finance.ts';
import {
  INBOUND_RATE,
  MAX_INBOUND_BODY_BYTES,
  MAX_INBOUND_WEBHOOKS,
  RECEIPT_KEPT_DAYS,
} from '../../domain/contracts/inbound-webhooks.ts';
import { MAIL_KEPT_DAYS } from '../../domain/contracts/mails.ts';
import { MAX_EVENT_DATA_BYTES } from '../../domain/contracts/publish-event.ts';
import { CREDIT_BUNDLES } from '../../domain/contracts/vision-credits.ts';
import { MAX_SAMPLE_PAGES, MAX_SAMPLES, MIN_SAMPLES, MODELS_BY_TIER } from '../../domain/contracts/vision-models.ts';
import { DOCUMENT_AI_LIMITS } from '../../domain/contracts/vision-requests.ts';
import { MAX_FILE_BYTES, MAX_PAGES, MAX_SYNC_PAGES, SYNC_BUDGET_MS } from '../../domain/contracts/vision.ts';
import { ITEM_TYPES } from '../../domain/contracts/work-items.ts';
import { PLATFORM_TIERS } from '../../domain/tenancy/index.ts';

function source(name: string): string {
  return readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8');
}

/** A guide's text with the padding of its tables taken out. */
function guide(name: string): string {
  return source(name).replace(/[ \n]+/g, ' ');
}

it('the limits guide has the figures of every tier', () => {
  const limits = guide('limits');
  for (const { name, requests_per_minute, burst_limit, max_api_keys } of Object.values(PLATFORM_TIERS)) {
    const figures = [requests_per_minute, burst_limit, max_api_keys].map((figure) => figure.toLocaleString('en'));
    expect(limits).toContain(`| ${[name, ...figures].join(' | ')} |`);
  }
});

it('the limits guide has the figures of Document AI', () => {
  const limits = guide('limits');
  for (const [tier, { name }] of Object.entries(PLATFORM_TIERS)) {
    const { requests_per_minute: requests, concurrent_jobs: jobs } = DOCUMENT_AI_LIMITS[tier] ?? {};
    const figures = [requests, jobs, MODELS_BY_TIER[tier]].map((figure) => figure?.toLocaleString('en'));
    expect(limits).toContain(`| ${[name, ...figures].join(' | ')} |`);
  }
});

it('the Document AI guide has the figures of the engine', () => {
  const words = guide('document-ai');
  expect(words).toContain(`${String(MAX_FILE_BYTES / 1_048_576)} MiB and ${String(MAX_PAGES)} pages at most`);
  expect(words).toContain(`${String(MAX_SYNC_PAGES)} pages in a synchronous call`);
  expect(words).toContain(`longer than ${String(SYNC_BUDGET_MS / 1_000)} s`);
  expect(words).toContain(`${String(MIN_SAMPLES)} are the least, ${String(MAX_SAMPLES)} the most`);
  expect(words).toContain(`A sample has ${String(MAX_SAMPLE_PAGES)} pages at most`);
  const [small, ...others] = Object.entries(CREDIT_BUNDLES);
  expect(words).toContain(
    `\`${small?.[0] ?? ''}\` (${String(small?.[1].credits)} for ZAR ${String(small?.[1].price)})`,
  );
  for (const [name, { credits, price }] of others) {
    expect(words).toContain(`\`${name}\` (${credits.toLocaleString('en')} for ${price.toLocaleString('en')})`);
  }
});

it('the guides of webhooks have the figures of the code', () => {
  const [out, inbound, events] = [guide('webhooks'), guide('inbound-webhooks'), guide('event-payloads')];
  expect(out).toContain(`Over ${MAX_REPLAYED_AT_ONCE.toLocaleString('en')} at once go in the background`);
  expect(out).toContain(`all mails of the past ${String(MAIL_KEPT_DAYS)} days`);
  expect(inbound).toContain(`There can be ${String(MAX_INBOUND_WEBHOOKS)} of them`);
  expect(inbound).toContain(`larger than ${String(MAX_INBOUND_BODY_BYTES / 1_048_576)} MiB`);
  expect(inbound).toContain(`the calls of the last ${String(RECEIPT_KEPT_DAYS)} days`);
  const { perWindow, burst } = INBOUND_RATE;
  expect(inbound).toContain(`more than ${String(perWindow)} calls in a minute, or ${String(burst)} in a second`);
  expect(events).toContain(`an object of up to ${String(MAX_EVENT_DATA_BYTES / 1_024)} KiB`);
});

it('the versioning guide names the newest and the oldest version', () => {
  expect(guide('versioning')).toContain(`Today that is **${CURRENT_VERSION}**; the oldest is **${FIRST_VERSION}**.`);
});

it('the guide of events has every event once, and no other', () => {
  const [, table = ''] = /\n\| event +\|.*\n(?:\|.*\n)((?:\|.*\n)+)/.exec(source('event-payloads')) ?? [];
  const names = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  const spelledOut = names.flatMap((name) => {
    const types = name.startsWith('<type>') ? ITEM_TYPES : name.startsWith('<document>') ? DOCUMENT_TYPES : [''];
    return types.map((type) => name.replace(/^<\w+>/, type));
  });
  expect(spelledOut.sort()).toEqual([...EVENT_NAMES, 'custom.<name>'].sort());
});
