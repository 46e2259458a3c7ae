/** A process that runs a model as it is and simplified on one picture, and prints how far the outputs differ. */
import { readFileSync } from 'node:fs';
import * as ort from 'onnxruntime-node';
import sharp from 'sharp';
import { findModels } from '../../../../documents/ocr/models.ts';
import { simplifyModel } from '../../../../documents/ocr/onnx/simplify.ts';

const models = findModels();
const path = process.argv[2] === 'ch' ? models.recognisers.ch!.model : models.detector;
const [width, height] = process.argv[2] === 'ch' ? [320, 48] : [320, 96];
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}">
  <rect width="100%" height="100%" fill="#fff"/><text x="10" y="36" font-family="sans-serif" font-size="32">TOTAL 16.75 EUR</text></svg>`;
const pixels = await sharp(Buffer.from(svg)).greyscale().raw().toBuffer();
const planes = new Float32Array(3 * width * height).map((_, i) => pixels[i % (width * height)]! / 127.5 - 1);

async function output(model: Uint8Array): Promise<Float32Array> {
  const session = await ort.InferenceSession.create(model, { logSeverityLevel: 3 });
  const tensor = new ort.Tensor('float32', planes, [1, 3, height, width]);
  const result = await session.run({ [session.inputNames[0]!]: tensor });
  return result[session.outputNames[0]!]!.data as Float32Array;
}

const bytes = readFileSync(path);
const [before, after] = [await output(bytes), await output(simplifyModel(bytes))];
const difference = before.reduce((most, value, i) => Math.max(most, Math.abs(value - after[i]!)), 0);
process.stdout.write(JSON.stringify({ difference, highest: before.reduce((most, value) => Math.max(most, value), 0) }));
