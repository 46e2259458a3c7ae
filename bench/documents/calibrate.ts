import { writeFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { resolve } from 'node:path';
import { createDocumentEngine } from '../../documents/index.ts';
import { type HalfName, halfNames, manifestOfHalf } from './halves.ts';
import { fitCalibration, type Outcome, type Reliability, reliabilityOf } from './platt.ts';
import { DATA, score } from './scorer.ts';
import { serveEngine } from './shim.ts';

/**
 * Fits documents/extract/calibration.json on the documents of shared/data, and prints how reliable the confidences are:
 * fitted on one half and measured on the other, whose issuers the fit has not seen.
 *
 *   node bench/documents/calibrate.ts --cache FOLDER
 */
const TARGET = resolve(import.meta.dirname, '../../documents/extract/calibration.json');
const cache = process.argv[process.argv.indexOf('--cache') + 1];
if (!process.argv.includes('--cache')) throw new Error('--cache FOLDER is needed: see score-engine.ts');

async function outcomesOf(server: Server, half: HalfName): Promise<Outcome[]> {
  const options = ['--manifest', manifestOfHalf(DATA, half), '--tasks', 'extract', '--exclude-set', 'none'];
  const { documents } = await score(server, options);
  return documents.flatMap(({ fields }) =>
    Object.values(fields).flatMap(({ name, exact, confidence }) =>
      name === null || confidence === null ? [] : [{ name, certainty: confidence, isRight: exact }],
    ),
  );
}

function print(title: string, { bins, ece }: Reliability): void {
  console.log(`\n${title}: expected calibration error ${ece.toFixed(3)} (target <= 0.05)`);
  for (const { from, count, said, right } of bins) {
    if (count === 0) continue;
    const share = (value: number): string => (value / count).toFixed(3);
    console.log(
      `  ${from.toFixed(1)}-${(from + 0.1).toFixed(1)}  ${String(count).padStart(5)} fields  said ${share(said)}  right ${share(right)}`,
    );
  }
}

const engine = createDocumentEngine();
const server = await serveEngine(engine, { cache, isRaw: true });
const halves = [];
for (const half of halfNames) halves.push(await outcomesOf(server, half));
const [dev = [], check = []] = halves;
print('fitted on dev, measured on check', reliabilityOf(check, fitCalibration(dev)));
print('fitted on check, measured on dev', reliabilityOf(dev, fitCalibration(check)));
const all = [...dev, ...check];
const calibration = fitCalibration(all);
print('fitted and measured on all', reliabilityOf(all, calibration));
writeFileSync(TARGET, `${JSON.stringify(calibration, null, 2)}\n`);
server.closeAllConnections();
server.close();
await engine.close();
