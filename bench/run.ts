import { StartError } from '../dev/errors.ts';
import { benchApi } from './api.ts';
import { benchData } from './data.ts';
import { benchDeliveries } from './deliveries.ts';
import { benchDocuments } from './documents.ts';
import { benchOauth } from './oauth.ts';
import type { BenchOptions } from './options.ts';
import { readOptions, USAGE } from './options.ts';
import { printMachine } from './report.ts';
import { benchVision } from './vision.ts';
import { benchWebhooks } from './webhooks.ts';

const AREAS: Readonly<Record<string, (options: BenchOptions) => Promise<void>>> = {
  api: benchApi,
  data: benchData,
  deliveries: benchDeliveries,
  documents: benchDocuments,
  oauth: benchOauth,
  webhooks: benchWebhooks,
  vision: benchVision,
};

/** `npm run bench <area>`: measures one area beside its limit, in one run on this machine, and prints both sides. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const area = options === undefined ? undefined : AREAS[options.area];
  if (options === undefined || area === undefined) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  await printMachine(options);
  await area(options);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
}
