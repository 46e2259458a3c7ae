import type { Limits } from '../types.ts';

export const defaultLimits: Required<Limits> = {
  maxBytes: 20 * 1024 * 1024,
  maxPages: 50,
  maxPixels: 100_000_000,
};
