import { z } from 'zod';
import { emailField, isTimeZone, Moment, textField } from './common.ts';
import { countryField } from './countries.ts';
import { currencyField } from './currencies.ts';
import { nameField } from './users.ts';

/** Days that documents and their results may be kept. */
export const MAX_RETENTION_DAYS = 365;

const MAX_NAME = 200;

/** The settings of a client that its own people may change, as input. */
export const clientFields = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(MAX_NAME)
    .refine((name) => !/\p{C}/u.test(name), 'must not hold control or invisible characters')
    .describe('Name of your company, as it stands on invoices and in mails')
    .meta({ example: 'Acme Pumps (Pty) Ltd' }),
  country: countryField('Country that you work in'),
  currency: currencyField('Currency of new documents; those that are there keep theirs'),
  timezone: z
    .string()
    .min(1)
    .max(100)
    .refine(isTimeZone, 'must be an IANA time zone such as Africa/Johannesburg')
    .describe('What "today" means: due dates, timesheets and new recurring jobs (IANA time zone)')
    .meta({ example: 'Africa/Johannesburg' }),
  document_ai_retention_days: z
    .int()
    .min(1)
    .max(MAX_RETENTION_DAYS)
    .describe(
      'Days after which documents and their results are erased; a smaller number erases what is older within ten minutes',
    )
    .meta({ example: 30 }),
};

const printed = (max: number, what: string) =>
  textField(max, `${what}; printed on finance documents. null clears it`).nullable();

/** Who sells, as it stands on finance documents: at issue each keeps what it is then. */
const sellerFields = {
  legal_name: printed(200, 'Registered name of your company, where it is another than name').meta({
    example: 'Acme Pumps (Pty) Ltd',
  }),
  address: printed(500, 'Address of your company; lines are kept').meta({ example: '7 Dock Road\nCape Town\n8001' }),
  tax_number: printed(
    60,
    'Tax (VAT, GST) registration number. With it an invoice that carries tax is titled "Tax invoice"',
  ).meta({ example: '4012345678' }),
  registration_number: printed(60, 'Number in the register of companies').meta({ example: '2019/123456/07' }),
  phone: printed(40, 'Phone number').meta({ example: '+27 21 555 0100' }),
  email: emailField('E-mail address for questions about documents; printed on them. null clears it')
    .nullable()
    .meta({ example: 'accounts@acme.example' }),
  website: z
    .url({ protocol: /^https?$/ })
    .max(200)
    .describe('Website, http or https; printed on finance documents. null clears it')
    .nullable()
    .meta({ example: 'https://acme.example' }),
  bank_details: printed(1000, 'Where invoices and quotes are paid to; lines are kept').meta({
    example: 'FNB, branch 250655\nAccount 62000000001',
  }),
};

/** Any of these; at least one. */
export const UpdateClient = z.strictObject({ ...clientFields, ...sellerFields }).partial();
export type UpdateClientInput = z.output<typeof UpdateClient>;

const TIERS = ['free', 'business', 'professional', 'enterprise'] as const;
const FINANCE_TIERS = ['none', 'basic', 'standard', 'full'] as const;

/** A client as whoever runs the platform makes it. */
export const NewClient = z.strictObject({
  slug: z
    .string()
    .max(63)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single hyphens'),
  name: clientFields.name,
  owner_email: emailField('E-mail address of the first owner'),
  owner_name: nameField(MAX_NAME, 'Name of the first owner').optional(),
  tier: z.enum(TIERS).default('free'),
  finance_tier: z.enum(FINANCE_TIERS).default('none'),
  country: clientFields.country.default('ZA'),
  currency: clientFields.currency.default('ZAR'),
  timezone: clientFields.timezone.default('Africa/Johannesburg'),
});
export type NewClient = z.output<typeof NewClient>;

const ownLimit = z.int().min(1).max(1_000_000).nullable();

/** What of a client only whoever runs the platform sets. null: the limit of the tier. */
export const ClientSettings = z.strictObject({
  tier: z.enum(TIERS).optional(),
  finance_tier: z.enum(FINANCE_TIERS).optional(),
  production_api_enabled: z.boolean().optional(),
  document_ai_requests_per_minute: ownLimit.optional(),
  document_ai_concurrent_jobs: ownLimit.optional(),
});
export type ClientSettings = z.output<typeof ClientSettings>;

export const ClientView = z
  .object({
    id: z.int().meta({ example: 1 }),
    slug: z.string().describe('Short name that operators know you by').meta({ example: 'acme' }),
    name: z.string().meta({ example: 'Acme Pumps (Pty) Ltd' }),
    tier: z.enum(TIERS).describe('Decides rate limits, API keys and Document AI limits'),
    finance_tier: z.enum(FINANCE_TIERS).describe('Decides which finance documents there are'),
    production_api_enabled: z.boolean().describe('Whether production API keys may be made'),
    legal_name: z.string().nullable().describe('Registered name').meta({ example: 'Acme Pumps (Pty) Ltd' }),
    address: z.string().nullable().meta({ example: '7 Dock Road\nCape Town\n8001' }),
    tax_number: z.string().nullable().meta({ example: '4012345678' }),
    registration_number: z.string().nullable().meta({ example: '2019/123456/07' }),
    phone: z.string().nullable().meta({ example: '+27 21 555 0100' }),
    email: z.string().nullable().meta({ example: 'accounts@acme.example' }),
    website: z.string().nullable().meta({ example: 'https://acme.example' }),
    bank_details: z.string().nullable().meta({ example: 'FNB, branch 250655\nAccount 62000000001' }),
    country: z.string().describe('ISO 3166-1 alpha-2').meta({ example: 'ZA' }),
    currency: z.string().describe('ISO 4217').meta({ example: 'ZAR' }),
    timezone: z.string().describe('IANA time zone').meta({ example: 'Africa/Johannesburg' }),
    document_ai_retention_days: z.int().meta({ example: 30 }),
    document_ai_requests_per_minute: z.int().describe('Your own limit, or that of the tier').meta({ example: 2000 }),
    document_ai_concurrent_jobs: z.int().describe('Your own limit, or that of the tier').meta({ example: 500 }),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'Client' });
export type ClientView = z.output<typeof ClientView>;
