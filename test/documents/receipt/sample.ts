/** Receipts of many trades and countries, as a till prints them, with what is to be read from them. */
export interface ReceiptSample {
  kind: string;
  lines: string[];
  fields: Record<string, unknown>;
  /** Fields that must not be made up. */
  absent?: string[];
}
