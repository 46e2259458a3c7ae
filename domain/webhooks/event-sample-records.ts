type Data = Readonly<Record<string, unknown>>;

const WORK_ITEM_ID = '0198c5c8-1f02-7b6d-9c51-3a7e2d4f8b60';

/** What the records in sample payloads hold beyond the examples of their contracts, by their name in `data`. */
export const SAMPLE_RECORDS: Readonly<Record<string, Data>> = {
  work_item: {
    work_item_id: WORK_ITEM_ID,
    item_type: 'job',
    description: 'It leaks at the shaft; the seals are worn.',
    status: 'open',
    priority: 'high',
    contact_id: 42,
    contact_name: 'Kruger Farms',
    contact_email: 'office@kruger.example',
    location_name: 'North gate',
    location_address: '12 Farm Road, Paarl',
    location_coordinates: { lat: -33.7342, lng: 18.9621 },
    assigned_to: 7,
    scheduled_start: '2026-11-23T07:00:00.000Z',
    scheduled_end: '2026-11-23T11:00:00.000Z',
    due_date: '2026-11-24T15:00:00.000Z',
    estimated_hours: 4,
    custom_fields: { asset: 'P-204' },
  },
  comment: { work_item_id: WORK_ITEM_ID, comment_type: 'general', is_internal: false, user_id: 7 },
  old_visibility: { is_internal: true },
  new_visibility: { is_internal: false },
  attachment: {
    work_item_id: WORK_ITEM_ID,
    user_id: 7,
    download_path: `/api/v1/work-items/${WORK_ITEM_ID}/attachments/118`,
  },
  appointment: {
    work_item_id: WORK_ITEM_ID,
    scheduled_start: '2026-11-23T07:00:00.000Z',
    scheduled_end: '2026-11-23T08:00:00.000Z',
    contact_id: 42,
    assigned_to: 7,
  },
  contact: { phone: '+27 21 555 0142', city: 'Paarl', tax_number: '4123456789' },
  document: { contact_id: 42, contact_email: 'office@kruger.example', due_date: '2026-12-21', reference: 'PO 8812' },
  payment: { contact_id: 42, amount: 1164.38, reference: 'INV-000001' },
  log: { employee_id: 12, location: { lat: -33.7342, lng: 18.9621 } },
  recurring_job: {
    status: 'active',
    template: { title: 'Weekly pump inspection', priority: 'medium' },
    next_occurrence_at: '2026-11-30T06:00:00.000Z',
  },
  thread: {
    subject: 'Pump at the north gate',
    last_message_at: '2026-11-21T08:30:00.000Z',
    last_message_body: 'The spare part has arrived.',
  },
  message: { sender_id: 7, attachments: [] },
  form: {
    fields: [
      { field_key: 'inspector', field_label: 'Inspected by', field_type: 'text', is_required: true, options: [] },
    ],
  },
  inbound_webhook: { last_received_at: '2026-11-21T08:30:00.000Z' },
  receipt: { status: 'received', result: null, body_bytes: 75 },
};

/** What was read of an invoice. */
export const SAMPLE_EXTRACTION: Data = {
  document_type: 'invoice',
  document_type_confidence: 0.97,
  fields: {
    invoice_number: { value: 'A-4711', confidence: 0.98, bbox: { x: 410, y: 96, width: 120, height: 18, page: 1 } },
    total: { value: 1164.38, confidence: 0.96, bbox: { x: 512, y: 880, width: 90, height: 18, page: 1 } },
  },
  line_items: [
    {
      description: { value: 'Service of the north pump', confidence: 0.95 },
      quantity: { value: 2.5, confidence: 0.97 },
      unit_price: { value: 450, confidence: 0.97 },
    },
  ],
  credits_used: 1,
  processing_time_ms: 2_140,
};

const OF_MOVE: Readonly<Record<string, Data>> = {
  updated: { priority: { from: 'medium', to: 'high' } },
  status_changed: { status: { from: 'open', to: 'in_progress' } },
  completed: { status: { from: 'in_progress', to: 'completed' } },
  assigned: { assigned_users: { from: [], to: [7] } },
  issued: { status: { from: 'draft', to: 'issued' }, document_number: { from: null, to: 'INV-000001' } },
  converted: { status: { from: 'issued', to: 'converted' } },
};
const OF_CONTACT: Data = { phone: { from: null, to: '+27 21 555 0142' } };
const OF_DRAFT: Data = { reference: { from: null, to: 'PO 8812' } };

/** The `changes` that go with the records above. */
export function sampleChanges(event: string): Data {
  const [area = '', move = ''] = event.split('.');
  if (area === 'contact') return OF_CONTACT;
  const isItem = /^(job|task|ticket|project|milestone|work_item)$/.test(area);
  return move === 'updated' && !isItem ? OF_DRAFT : (OF_MOVE[move] ?? {});
}
