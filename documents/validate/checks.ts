import type { Extraction, ValidationCheck } from '../types.ts';

export const check = (rule: string, passed: boolean, message: string): ValidationCheck => ({ rule, passed, message });

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export const amountOf = (extraction: Extraction, name: string): number | undefined =>
  numberOf(extraction.fields[name]?.value);
