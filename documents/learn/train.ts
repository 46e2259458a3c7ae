import type { TrainingSample } from '../types.ts';
import { checkTraining, targetOf } from './definition.ts';
import { trainField } from './field-train.ts';
import { viewOf } from './page-view.ts';
import { layoutOf, likenessTo } from './places.ts';
import { trainTable } from './table-train.ts';
import { mean, rounded } from './text.ts';
import { localeOf } from './values.ts';
import type { ModelDefinition, TrainedModel } from './types.ts';

/**
 * Learns where the fields of a layout stand: labels, places, phrases around them, shapes of the values. The same samples
 * give the same model.
 * @throws DocumentError BAD_MODEL where definition or samples can't be learned from
 */
export function trainModel(definition: ModelDefinition, samples: TrainingSample[]): TrainedModel {
  const { fields, tables } = checkTraining(definition, samples);
  const views = samples.map(({ pages }) => viewOf(pages));
  const locales = samples.map(({ annotations }, index) => localeOf(views[index]!.text, datesAmong(annotations)));
  const sampleOf = (name: string) =>
    samples.map((sample, index) => ({
      view: views[index]!,
      locale: locales[index]!,
      target: targetOf(sample, name),
    }));
  const trained = fields.map((field) => trainField(field, sampleOf(field.name)));
  const trainedTables = tables.map((table) => trainTable(table, sampleOf(table.name)));
  const measured = [...trained, ...trainedTables].flatMap(({ name, accuracy }) =>
    accuracy === null ? [] : [{ accuracy, count: sampleOf(name).filter(hasValue).length }],
  );
  const asked = measured.reduce((sum, { count }) => sum + count, 0);
  const likenesses = views.map((view, index) => likenessTo(layoutOf(views.filter((_, at) => at !== index)), view));
  return {
    version: 1,
    samples: samples.length,
    fields: trained,
    tables: trainedTables,
    layout: layoutOf(views),
    likeness: rounded(mean(likenesses)),
    accuracy:
      asked === 0 ? null : rounded(measured.reduce((sum, { accuracy, count }) => sum + accuracy * count, 0) / asked),
    field_accuracy: Object.fromEntries([...trained, ...trainedTables].map(({ name, accuracy }) => [name, accuracy])),
  };
}

const hasValue = ({ target }: { target: { value: unknown } | undefined }): boolean =>
  target !== undefined && target.value !== null && target.value !== undefined && target.value !== '';

const datesAmong = (annotations: Record<string, unknown>): unknown[] =>
  Object.values(annotations).map((given) =>
    typeof given === 'object' && given !== null && 'value' in given ? given.value : given,
  );
