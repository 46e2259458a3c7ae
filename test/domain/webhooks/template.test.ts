import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PayloadTemplate } from '../../../domain/contracts/payload-templates.ts';
import { templateIssues } from '../../../domain/webhooks/template-issues.ts';
import { MAX_RENDERED_BYTES, renderPayload } from '../../../domain/webhooks/template.ts';

const payload = {
  event: 'invoice.created',
  version: '2026-07-01',
  timestamp: '2026-11-21T08:00:00.000Z',
  data: {
    document: {
      id: 512,
      total: 1150.5,
      paid: false,
      notes: null,
      lines: [
        { sku: 'P-1', qty: 2 },
        { sku: 'P-2', qty: 1 },
      ],
    },
  },
  metadata: { client_id: 3 },
};

function render(template: PayloadTemplate | null, event = payload.event): unknown {
  return renderPayload(payload, template, event);
}

describe('passthrough', () => {
  it('is the default', () => {
    expect(render(null)).toBe(payload);
    expect(render({})).toBe(payload);
    expect(render({ mode: 'passthrough', fields: ['event'], template: { a: 1 } })).toBe(payload);
  });
});

describe('fields', () => {
  it('keeps the paths, nested as in the payload, and skips what is missing', () => {
    const fields = ['data.document.total', 'event', 'data.document.nope', 'data.contact.name'];
    expect(render({ mode: 'fields', fields })).toEqual({
      event: 'invoice.created',
      data: { document: { total: 1150.5 } },
    });
  });

  it('goes into arrays by index, and closes the gaps', () => {
    expect(render({ mode: 'fields', fields: ['data.document.lines.1.sku', 'data.document.lines.7.sku'] })).toEqual({
      data: { document: { lines: [{ sku: 'P-2' }] } },
    });
  });

  it('keeps the whole of what a shorter path names, in either order', () => {
    for (const fields of [
      ['metadata', 'metadata.client_id'],
      ['metadata.client_id', 'metadata'],
    ]) {
      expect(render({ mode: 'fields', fields })).toEqual({ metadata: { client_id: 3 } });
    }
  });

  it('keeps null and false', () => {
    const fields = ['data.document.paid', 'data.document.notes'];
    expect(render({ mode: 'fields', fields })).toEqual({ data: { document: { paid: false, notes: null } } });
  });

  it('finds nothing in prototypes', () => {
    const fields = ['__proto__', 'constructor.name', 'data.document.lines.length', 'event.length'];
    expect(render({ mode: 'fields', fields })).toEqual({});
  });
});

describe('template', () => {
  it('keeps the type of what stands alone and writes out what stands in a text', () => {
    const template = {
      total: '{{ data.document.total }}',
      lines: '{{data.document.lines}}',
      none: '{{ data.nope }}',
      text: 'No. {{ data.document.id }}: {{ data.nope }}!',
      fixed: [true, 7, { at: '{{ data.document.lines.0.sku }}' }],
    };
    expect(render({ mode: 'template', template })).toEqual({
      total: 1150.5,
      lines: payload.data.document.lines,
      none: null,
      text: 'No. 512: !',
      fixed: [true, 7, { at: 'P-1' }],
    });
  });

  it('sends the payload without data where the result would be too large', () => {
    const large = { ...payload, data: { text: 'x'.repeat(20_000) } };
    const template = { all: Array.from({ length: 100 }, () => '{{ data.text }}') };
    const rendered = renderPayload(large, { mode: 'template', template }, 'invoice.created');
    const { event, version, timestamp, metadata } = payload;
    expect(rendered).toEqual({ event, version, timestamp, metadata, truncated: true });
  });

  it('counts what escaping adds', () => {
    const large = { ...payload, data: { text: '\u0001'.repeat(170_000) } };
    const template = { all: '{{ data.text }}' };
    expect(renderPayload(large, { mode: 'template', template }, 'job.created')).toMatchObject({ all: large.data.text });
    const twice = renderPayload(large, { mode: 'template', template: { a: '{{ data }}' } }, 'job.created');
    expect(Buffer.byteLength(JSON.stringify(twice))).toBeLessThanOrEqual(MAX_RENDERED_BYTES);
  });
});

describe('per_event', () => {
  const perEvent = { 'invoice.created': { mode: 'fields' as const, fields: ['event'] } };

  it('uses the entry of the event, whatever the mode beside it', () => {
    expect(render({ mode: 'per_event', per_event: perEvent })).toEqual({ event: 'invoice.created' });
    expect(render({ mode: 'passthrough', per_event: perEvent })).toEqual({ event: 'invoice.created' });
  });

  it('else the top-level config', () => {
    expect(render({ mode: 'per_event', per_event: perEvent }, 'job.created')).toBe(payload);
    const fields = ['version'];
    expect(render({ mode: 'per_event', per_event: perEvent, fields }, 'job.created')).toEqual({
      version: '2026-07-01',
    });
    expect(render({ mode: 'per_event', per_event: perEvent, fields, template: { a: 1 } }, 'job.created')).toEqual({
      a: 1,
    });
    expect(render({ mode: 'fields', per_event: perEvent, fields }, 'job.created')).toEqual({ version: '2026-07-01' });
  });

  it('takes no event from the prototype', () => {
    expect(render({ mode: 'per_event', per_event: perEvent }, 'constructor')).toBe(payload);
  });
});

describe('templateIssues', () => {
  const fieldsOf = (template: unknown): string[] => templateIssues(template).map(({ field }) => field);

  it('finds nothing wrong with good ones', () => {
    const good: unknown[] = [
      {},
      { mode: 'passthrough', fields: null, template: null, per_event: null },
      { mode: 'fields', fields: ['event', 'data.items.0.sku'] },
      { mode: 'template', template: { a: 'Hello {{ data.contact.name }}', b: [1, null] } },
      { mode: 'per_event', per_event: { 'custom.order.paid': { mode: 'fields', fields: ['data'] } } },
    ];
    for (const template of good) expect(templateIssues(template)).toEqual([]);
  });

  it('names the exact field', () => {
    const perEvent = { 'job.created': { mode: 'fields', fields: ['event', 'data', 'data.__proto__.x'] } };
    expect(fieldsOf({ mode: 'per_event', per_event: perEvent })).toEqual([
      'payload_template.per_event.job.created.fields[2]',
    ]);
    expect(fieldsOf({ mode: 'template', template: { a: [{ b: '{{ not a path }}' }] } })).toEqual([
      'payload_template.template.a[0].b',
    ]);
    expect(fieldsOf({ mode: 'whole' })).toEqual(['payload_template.mode']);
    expect(fieldsOf({ mode: 'fields', fields: [7] })).toEqual(['payload_template.fields[0]']);
    expect(fieldsOf({ mode: 'per_event', per_event: { 'job.made': {} } })).toEqual([
      'payload_template.per_event.job.made',
    ]);
    expect(templateIssues({ mode: 'whole' }, 'template')[0]?.field).toBe('template.mode');
  });

  it('wants what the mode needs', () => {
    expect(fieldsOf({ mode: 'fields' })).toEqual(['payload_template.fields']);
    expect(fieldsOf({ mode: 'fields', fields: [] })).toEqual(['payload_template.fields']);
    expect(fieldsOf({ mode: 'template' })).toEqual(['payload_template.template']);
    expect(fieldsOf({ mode: 'per_event' })).toEqual(['payload_template.per_event']);
    expect(fieldsOf({ fields: ['event'] })).toEqual(['payload_template.mode']);
  });

  it('limits size, depth and paths', () => {
    expect(templateIssues({ mode: 'template', template: { a: 'x'.repeat(65_536) } })[0]?.issue).toContain(
      '65536 bytes',
    );
    let deep: unknown = 'end';
    for (let level = 0; level < 12; level += 1) deep = { a: deep };
    expect(templateIssues({ mode: 'template', template: { deep } })[0]?.issue).toContain('nested deeper than 10');
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`k${String(index)}`, '{{ event }}']));
    expect(fieldsOf({ mode: 'template', template: many })).toEqual(['payload_template.template']);
    expect(fieldsOf({ mode: 'fields', fields: Array.from({ length: 201 }, () => 'event') })).toEqual([
      'payload_template.fields',
    ]);
    expect(fieldsOf({ mode: 'fields', fields: [Array.from({ length: 21 }, () => 'a').join('.')] })).toEqual([
      'payload_template.fields[0]',
    ]);
  });
});

describe('whatever it is given', () => {
  const word = fc.oneof(
    fc.constantFrom('data', 'event', 'a', '0', '1', '__proto__', 'constructor', 'prototype', 'length', 'toString', ''),
    fc.string({ maxLength: 6 }),
  );
  const path = fc.array(word, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'));
  const text = fc.oneof(
    fc.string(),
    path.map((inner) => `{{ ${inner} }}`),
    fc.tuple(fc.string(), path).map(([before, inner]) => `${before}{{${inner}}} after`),
  );
  const body = fc.dictionary(
    word,
    fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('node'), { maxLength: 4 }),
        fc.dictionary(word, tie('node'), { maxKeys: 4 }),
      ),
    })).node,
    { maxKeys: 5 },
  );
  const config = fc.record(
    {
      mode: fc.constantFrom('passthrough' as const, 'fields' as const, 'template' as const),
      fields: fc.array(path),
      template: body,
    },
    { requiredKeys: [] },
  );
  const template = fc.record(
    {
      mode: fc.constantFrom('passthrough' as const, 'fields' as const, 'template' as const, 'per_event' as const),
      fields: fc.array(path),
      template: body,
      per_event: fc.dictionary(fc.constantFrom('job.created', 'job.deleted', 'custom.a', 'constructor'), config),
    },
    { requiredKeys: [] },
  );
  const anyPayload = fc.record({ event: fc.constant('job.created'), data: fc.dictionary(word, fc.jsonValue()) });

  it('never throws, and renders the same each time, as JSON', () => {
    fc.assert(
      fc.property(template, anyPayload, (given, of) => {
        templateIssues(given);
        const before = JSON.stringify(of);
        const once = JSON.stringify(renderPayload(of, given, 'job.created'));
        expect(once).toMatch(/^\{/);
        expect(JSON.stringify(renderPayload(of, given, 'job.created'))).toBe(once);
        expect(JSON.stringify(of)).toBe(before);
      }),
      { numRuns: 500 },
    );
  });

  it('never reads from a prototype', () => {
    const trap = new Proxy(
      {},
      {
        get: (_, key) => {
          throw new Error(`the prototype's ${String(key)} was read`);
        },
        has: () => false,
      },
    );
    fc.assert(
      fc.property(template, fc.dictionary(fc.constantFrom('a', '0', 'event'), fc.jsonValue()), (given, data) => {
        const guarded = Object.setPrototypeOf({ ...data, toJSON: undefined }, trap) as Record<string, unknown>;
        const of = { event: 'job.created', data: guarded };
        expect(() => renderPayload(of, given, 'job.created')).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});
