/** A contact's tax number without its blanks, dots and small letters: people type it in many ways. */
export const PLAIN_TAX_NUMBER = `regexp_replace(upper(tax_number), '[^A-Z0-9]', '', 'g')`;

/** A tax number as {@link PLAIN_TAX_NUMBER} has it, with and without the country that VAT numbers begin with. */
export function spellings(taxNumber: string): string[] {
  const whole = taxNumber.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  const [, country = '', rest = ''] = /^([A-Z]{2})(\d.*)$/.exec(whole) ?? [];
  return (country === '' ? [whole] : [whole, rest]).filter((spelling) => spelling !== '');
}
