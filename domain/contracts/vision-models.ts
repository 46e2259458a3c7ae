import { z } from 'zod';
import { Moment, textField, windowFields } from './common.ts';
import { DOCUMENT_TYPES } from './vision.ts';

/** Custom models that a client may have at a time, by its platform tier. */
export const MODELS_BY_TIER: Readonly<Record<string, number>> = {
  free: 3,
  business: 20,
  professional: 100,
  enterprise: 500,
};
export const MAX_MODEL_FIELDS = 100;
export const MAX_TABLE_COLUMNS = 30;
export const MAX_TABLES = 5;

/** Samples that a model is trained on. Those of earlier trainings count; beyond the most, the newest are used. */
export const MIN_SAMPLES = 2;
export const MAX_SAMPLES = 50;
/** Pages of one sample. */
export const MAX_SAMPLE_PAGES = 10;
/** Versions of a model that can be returned to. */
export const MAX_VERSIONS = 20;

/** The word after `custom:` in a document type. */
export const CUSTOM_PREFIX = 'custom:';

export const VALUE_TYPES = [
  'text',
  'string',
  'number',
  'integer',
  'money',
  'currency',
  'amount',
  'date',
  'boolean',
  'email',
  'phone',
] as const;

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Names that every object of JavaScript answers to are kept out: no code of ours or of a caller's should meet them. */
const nameField = (description: string) =>
  z
    .string()
    .regex(NAME, 'must begin with a letter and hold letters, digits and _ only (64 characters at most)')
    .refine((name) => !(name in {}), 'is a reserved name')
    .describe(description);

const ModelField = z.strictObject({
  name: nameField('Name of the field in results').meta({ example: 'policy_number' }),
  type: z.enum(VALUE_TYPES).describe('string is text; currency and amount are money').meta({ example: 'string' }),
  required: z.boolean().default(false).describe('Whether every document has it'),
});

const ModelTable = z.strictObject({
  name: nameField('Name of the table').meta({ example: 'premiums' }),
  type: z.literal('table'),
  columns: z
    .array(nameField('Name of a column'))
    .min(1)
    .max(MAX_TABLE_COLUMNS)
    .refine((columns) => new Set(columns).size === columns.length, 'names a column twice')
    .describe('Columns from left to right')
    .meta({ example: ['description', 'amount'] }),
  required: z.boolean().default(false).describe('Whether every document has it'),
});

export const ModelFieldDefinition = z.discriminatedUnion('type', [ModelField, ModelTable]).meta({ id: 'ModelField' });
export type ModelFieldDefinition = z.output<typeof ModelFieldDefinition>;

export const CreateModel = z.strictObject({
  name: textField(100, 'What the model is called').meta({ example: 'Insurance policies' }),
  document_type: z.literal('custom').default('custom').describe('Always custom'),
  fields: z
    .array(ModelFieldDefinition)
    .min(1)
    .max(MAX_MODEL_FIELDS)
    .superRefine((fields, context) => {
      const names = fields.map(({ name }) => name);
      const twice = names.findIndex((name, index) => names.indexOf(name) < index);
      if (twice >= 0) context.addIssue({ code: 'custom', path: [twice, 'name'], message: 'is the name of two fields' });
      if (fields.filter(({ type }) => type === 'table').length > MAX_TABLES) {
        context.addIssue({ code: 'custom', message: `may have ${String(MAX_TABLES)} tables at most` });
      }
    })
    .describe('What to extract'),
});
export type CreateModelInput = z.output<typeof CreateModel>;

export const ListModels = z.strictObject({
  type: z.enum(['pretrained', 'custom']).describe('Only models of this kind').optional(),
  ...windowFields(100, 500),
});
export type ListModelsInput = z.output<typeof ListModels>;

export const ModelId = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'must be the id of a model')
  .describe('Id of the model')
  .meta({ example: 'mdl_k3v9q2m7x1c8b5n4z6' });
export const GetModel = z.strictObject({ id: ModelId });

export const MODEL_STATES = ['draft', 'training', 'ready', 'failed'] as const;

export const ModelView = z
  .object({
    id: z.string().describe('Of a pre-trained model its document type').meta({ example: 'mdl_k3v9q2m7x1c8b5n4z6' }),
    name: z.string().meta({ example: 'Insurance policies' }),
    type: z.enum(['pretrained', 'custom']),
    document_type: z
      .enum(['custom', ...DOCUMENT_TYPES])
      .describe('A custom model is asked for as custom:<id>')
      .meta({ example: 'custom' }),
    status: z
      .enum(MODEL_STATES)
      .describe('While a model is trained again, or where that failed, its version goes on to serve'),
    fields: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        required: z.boolean().optional(),
        columns: z.array(z.string()).optional(),
      }),
    ),
    samples: z.int().nullable().describe('Annotated documents it has; null for a pre-trained one'),
    accuracy: z
      .number()
      .nullable()
      .describe('Of the version that serves: share of values found, each sample left out of the training once')
      .meta({ example: 0.97 }),
    version: z.int().nullable().describe('The version that serves; null where there is none yet').meta({ example: 1 }),
    created_at: Moment.nullable(),
    updated_at: Moment.nullable(),
  })
  .meta({ id: 'Model' });
export type ModelData = z.output<typeof ModelView>;

export const ModelDetail = ModelView.extend({
  field_accuracy: z
    .record(z.string(), z.number().nullable())
    .optional()
    .describe('The same by field and table; null where no sample has a value'),
  versions: z
    .array(z.object({ version: z.int(), accuracy: z.number().nullable(), samples: z.int(), created_at: Moment }))
    .optional()
    .describe('That can be returned to, newest first'),
  last_training: z
    .object({
      training_id: z.uuid(),
      status: z.enum(['training', 'ready', 'failed']),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
      created_at: Moment,
      finished_at: Moment.nullable(),
    })
    .nullable()
    .optional(),
}).meta({ id: 'ModelDetail' });
export type ModelDetailData = z.output<typeof ModelDetail>;

export const ModelList = z.object({ models: z.array(ModelView) });
export const ModelResponse = z.object({ model: ModelDetail });
export const DeletedModel = z.object({ model_id: z.string(), deleted: z.literal(true) }).meta({ id: 'DeletedModel' });

export const TrainModel = z.strictObject({
  id: ModelId,
  documents: z
    .array(
      z.strictObject({
        file_base64: z
          .string()
          .min(1)
          .describe(`Base64 of the document, of ${String(MAX_SAMPLE_PAGES)} pages at most`),
        annotations: z
          .record(z.string(), z.unknown())
          .describe(
            'What is right: {field: value} or {field: {value, bbox}}; a table is a list of rows {column: value}',
          )
          .meta({ example: { policy_number: 'P-20931', premium: 120.5 } }),
      }),
    )
    .describe(`5 to 10 are recommended; with those of earlier trainings at least ${String(MIN_SAMPLES)}`),
  webhook_url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .describe('Is told when the model is ready, or why it is not'),
});
export type TrainModelInput = z.output<typeof TrainModel>;

export const TrainResponse = z
  .object({
    model_id: z.string(),
    training_id: z.uuid(),
    status: z.literal('training'),
    samples: z.int().describe('Samples that it is trained on, earlier ones counted'),
  })
  .meta({ id: 'TrainResponse' });

export const RollbackModel = z.strictObject({
  id: ModelId,
  version: z.int().min(1).max(1_000_000).optional().describe('The version to return to; default: the one before'),
});
