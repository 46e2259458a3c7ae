import { z } from 'zod';
import { emailField, idField, Moment, textField, windowFields } from './common.ts';
import { countryField } from './countries.ts';

export const CONTACT_TYPES = ['customer', 'supplier', 'both'] as const;
export type ContactType = (typeof CONTACT_TYPES)[number];

const NAME = 'Name of the person or company';
const ContactName = textField(200, NAME).trim().describe(NAME).meta({ example: 'Kruger Farms' });
const Type = z.enum(CONTACT_TYPES);

/** What may be left out; null says that there is none. */
const details = {
  email: emailField('E-mail').nullable().optional().meta({ example: 'office@kruger.example' }),
  phone: textField(40, 'Phone number').nullable().optional().meta({ example: '+27 13 555 0101' }),
  mobile: textField(40, 'Mobile number').nullable().optional(),
  address: textField(500, 'Street address').nullable().optional(),
  city: textField(100, 'City').nullable().optional().meta({ example: 'Mbombela' }),
  postal_code: textField(20, 'Postal code').nullable().optional(),
  country: countryField('Country').nullable().optional(),
  tax_number: textField(50, 'Tax (VAT) number').nullable().optional().meta({ example: '4123456789' }),
  registration_number: textField(50, 'Company registration number').nullable().optional(),
  website: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .nullable()
    .optional()
    .describe('Website, http or https')
    .meta({ example: 'https://kruger.example' }),
  notes: textField(20_000, 'Notes').nullable().optional(),
};

export const ContactId = idField('Id of the contact').meta({ example: 42 });
export const GetContact = z.strictObject({ contact_id: ContactId });

export const CreateContact = z.strictObject({
  name: ContactName,
  contact_type: Type.default('customer').describe('Whether they buy from you, sell to you, or both'),
  ...details,
  is_active: z.boolean().default(true).describe('false: kept for the record, no longer in use'),
});
export type CreateContactInput = z.output<typeof CreateContact>;

export const UpdateContact = z.strictObject({
  contact_id: ContactId,
  name: ContactName.optional(),
  contact_type: Type.optional().describe('Whether they buy from you, sell to you, or both'),
  ...details,
  is_active: z.boolean().optional().describe('false: kept for the record, no longer in use'),
});
export type UpdateContactInput = z.output<typeof UpdateContact>;

export const ListContacts = z.strictObject({
  type: Type.optional().describe('Only contacts of exactly this type: supplier leaves out both'),
  search: textField(
    200,
    'Words that must all occur, in any order and case, with or without accents, in name, email, phone, mobile, city, tax_number or registration_number. Parts of words count; a word of one or two characters finds words that begin with it',
  )
    .meta({ example: 'kruger' })
    .optional(),
  is_active: z
    .boolean()
    .optional()
    .describe('Only active (true) or only inactive (false) contacts; both when left out'),
  ...windowFields(),
});
export type ListContactsInput = z.output<typeof ListContacts>;

const text = z.string().nullable();

/** A contact as every read, answer and event shows it (spec, "Contact"). */
export const ContactView = z
  .object({
    id: z.int().meta({ example: 42 }),
    contact_type: Type,
    name: z.string().meta({ example: 'Kruger Farms' }),
    email: text.meta({ example: 'office@kruger.example' }),
    phone: text,
    mobile: text,
    address: text,
    city: text,
    postal_code: text,
    country: text.meta({ example: 'ZA' }),
    tax_number: text,
    registration_number: text,
    website: text,
    notes: text,
    is_active: z.boolean(),
    client_id: z.int(),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'Contact' });
export type ContactView = z.output<typeof ContactView>;

export const ContactList = z.object({ contacts: z.array(ContactView) });
