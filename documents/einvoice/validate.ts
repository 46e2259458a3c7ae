import type { Extraction, ValidationCheck } from '../types.ts';

/** Whether an e-invoice's page says what its XML says; one check, which names every field that differs. */
export function einvoiceChecks(extraction: Extraction): ValidationCheck[] {
  const { einvoice } = extraction;
  if (!einvoice) return [];
  const differing = einvoice.differences.map(
    ({ field, xml, page }) => `${field}: the XML says ${String(xml)}, the page ${String(page)}`,
  );
  const message = differing.length === 0 ? 'the page says what the XML says' : differing.join('; ');
  return [{ rule: 'einvoice_matches_page', passed: differing.length === 0, message }];
}
