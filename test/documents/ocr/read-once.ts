/** A process that reads one page: the PNG in PAGE, with the reader named by READER on THREADS threads. */
import sharp from 'sharp';
import { createOcrEngine } from '../../../documents/ocr/create.ts';
import { readerNames } from '../../../documents/index.ts';

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const page = Buffer.from(process.env['PAGE'] ?? '', 'base64');
const ocr = await createOcrEngine({
  threads: Number(process.env['THREADS'] ?? 1),
  reader: readerNames.find((name) => name === process.env['READER']),
  log: (line) => print(`LOG ${line}`),
});
const { data, info } = await sharp(page).removeAlpha().raw().toBuffer({ resolveWithObject: true });
const lines = await ocr.read({ data, width: info.width, height: info.height });
print(`NAME ${ocr.name}`);
print(`TEXT ${lines.map((line) => line.text).join(' ')}`);
await ocr.close();
