import { describe, expect, it } from '@jest/globals';
import { escapeHtml, html } from '../../platform/html.ts';

describe('html', () => {
  it('escapes every value, in elements and in quoted attributes', () => {
    const hostile = `<script>"'&</script>`;
    const escaped = '&lt;script&gt;&quot;&#39;&amp;&lt;/script&gt;';
    expect(escapeHtml(hostile)).toBe(escaped);
    expect(html`<p title="${hostile}">${hostile}</p>`.toString()).toBe(`<p title="${escaped}">${escaped}</p>`);
  });

  it('takes markup of its own as it is, alone and in lists, and undefined as nothing', () => {
    const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    expect(html`${items}${undefined}`.toString()).toBe('<li>a</li><li>&lt;b&gt;</li>');
    expect(html`${html`<b>bold</b>`}`.toString()).toBe('<b>bold</b>');
  });

  it('is not taken in by an object that looks like markup', () => {
    const forged = { toString: () => '<script>' } as unknown as string;
    expect(() => html`${forged}`).toThrow();
  });
});
