/** The people, contacts and work items of the demo tenant. */

export const OWNER_EMAIL = 'owner@demo.example';
export const MEMBER_EMAIL = 'member@demo.example';

/** What its documents say of it, as the seed inserts it. */
export const DEMO_SELLER = [
  '7 Dock Road\nV&A Waterfront\nCape Town 8001',
  '4012345678',
  '2019/123456/07',
  '+27 21 555 0100',
  'accounts@demo.example',
  'https://demo.example',
  'Bank: First National Bank\nBranch: 250655\nAccount: 62000000001',
];

export const DEMO_USERS = [
  { email: OWNER_EMAIL, given_name: 'Thandi', family_name: 'Nkosi', role: 'owner' },
  { email: MEMBER_EMAIL, given_name: 'Pieter', family_name: 'Botha', role: 'member' },
];

/** `manager` names the employee number of somebody further up in this list. */
export const DEMO_EMPLOYEES = [
  {
    number: 'E-001',
    first: 'Thandi',
    last: 'Nkosi',
    email: OWNER_EMAIL,
    department: 'Management',
    title: 'Managing director',
    manager: null,
    hired: '2019-02-01',
  },
  {
    number: 'E-002',
    first: 'Pieter',
    last: 'Botha',
    email: MEMBER_EMAIL,
    department: 'Field service',
    title: 'Team lead',
    manager: 'E-001',
    hired: '2020-06-15',
  },
  {
    number: 'E-003',
    first: 'Zanele',
    last: 'Dlamini',
    email: 'zanele@demo.example',
    department: 'Field service',
    title: 'Technician',
    manager: 'E-002',
    hired: '2022-03-01',
  },
  {
    number: 'E-004',
    first: 'Johan',
    last: 'Smit',
    email: 'johan@demo.example',
    department: 'Field service',
    title: 'Technician',
    manager: 'E-002',
    hired: '2023-09-11',
  },
];

export const DEMO_CONTACTS = [
  {
    type: 'customer',
    name: 'Kruger Farms',
    email: 'office@krugerfarms.example',
    phone: '+27 13 555 0101',
    city: 'Nelspruit',
  },
  {
    type: 'supplier',
    name: 'Pump Supplies CC',
    email: 'sales@pumpsupplies.example',
    phone: '+27 11 555 0144',
    city: 'Johannesburg',
  },
  { type: 'both', name: 'Harbour Logistics', email: 'ops@harbour.example', phone: '+27 31 555 0199', city: 'Durban' },
];

export const DEMO_ITEMS = [
  { item_type: 'project', title: 'Irrigation upgrade, Kruger Farms' },
  { item_type: 'job', title: 'Service the borehole pump', priority: 'high', tags: ['pump'] },
  { item_type: 'task', title: 'Order filter cartridges' },
  { item_type: 'ticket', title: 'Pressure drops at night', priority: 'urgent' },
  { item_type: 'milestone', title: 'Commissioning' },
];

export const DEMO_TEAM = 'Field crew';

export const DEMO_FORM = {
  form_key: 'vehicle-check',
  form_name: 'Vehicle check',
  description: 'What a driver finds before the first trip of a day.',
  fields: [
    { field_key: 'checked_on', field_label: 'Checked on', field_type: 'date', is_required: true },
    {
      field_key: 'condition',
      field_label: 'Condition',
      field_type: 'select',
      is_required: true,
      options: ['good', 'worn', 'broken'],
    },
    { field_key: 'remarks', field_label: 'Remarks', field_type: 'textarea', is_required: false },
  ],
};

export const DEMO_INVOICE = {
  document_type: 'invoice',
  lines: [
    { description: 'Service of the borehole pump', quantity: 1, unit_price: 1850, tax_rate: 15 },
    { description: 'Filter cartridge, 10 inch', quantity: 4, unit_price: 129.9, tax_rate: 15 },
  ],
  terms: 'Payable within 30 days.',
};

export const DEMO_QUOTE = {
  document_type: 'quote',
  lines: [{ description: 'Irrigation upgrade, first stage', quantity: 1, unit_price: 48_500, tax_rate: 15 }],
};
