import { z } from 'zod';
import { dayField } from './common.ts';
import { PaymentView } from './payments.ts';

interface Bundle {
  name: string;
  credits: number;
  /** In ZAR. */
  price: number;
}

/** Spec, "Limits". */
export const TRIAL: Bundle = { name: 'Trial', credits: 30, price: 0 };
export const CREDIT_BUNDLES = {
  small: { name: 'Small', credits: 50, price: 175 },
  medium: { name: 'Medium', credits: 100, price: 300 },
  large: { name: 'Large', credits: 500, price: 1_250 },
  enterprise: { name: 'Enterprise', credits: 1_000, price: 1_750 },
} as const satisfies Record<string, Bundle>;
export type BundleKey = keyof typeof CREDIT_BUNDLES;
const bundleKeys = Object.keys(CREDIT_BUNDLES) as [BundleKey, ...BundleKey[]];

export const CreditsResponse = z
  .object({
    credits_remaining: z
      .number()
      .describe('What is held for calls under way is taken off already')
      .meta({ example: 27.75 }),
    credits_used_total: z.number().describe('Of all finished calls').meta({ example: 2.25 }),
    bundle: z.string().nullable().describe('The last bundle that was granted').meta({ example: 'Trial' }),
  })
  .meta({ id: 'Credits' });

export const PurchaseCredits = z.strictObject({
  bundle: z
    .enum(bundleKeys)
    .describe('small: 50 credits for ZAR 175, medium: 100 for 300, large: 500 for 1,250, enterprise: 1,000 for 1,750')
    .meta({ example: 'medium' }),
});

export const PurchaseResponse = z
  .object({
    bundle: z.string().meta({ example: 'Medium' }),
    credits: z.number().meta({ example: 100 }),
    credits_remaining: z.number().meta({ example: 127.75 }),
    payment: PaymentView.describe('What is to be paid for it; pending'),
  })
  .meta({ id: 'CreditPurchase' });

export const GetUsage = z.strictObject({
  from: dayField('First day; default: 30 days before the last').optional(),
  to: dayField('Last day, counted in whole; default: today').optional(),
});
export type GetUsageInput = z.output<typeof GetUsage>;

const Share = z.number().min(0).max(1).nullable();

export const UsageResponse = z
  .object({
    period: z.object({ from: z.iso.date(), to: z.iso.date() }).describe('Days of the client’s time zone'),
    totals: z.object({
      documents_processed: z.int().describe('Documents whose fields were extracted'),
      credits_used: z.number(),
      avg_processing_time_ms: z.number().nullable().describe('Over all finished calls; null where there are none'),
      stp_rate: Share.describe('Share of documents with no field below 0.80, no failed check and no later correction'),
    }),
    by_document_type: z.array(z.object({ type: z.string(), count: z.int(), avg_confidence: Share, stp_rate: Share })),
    accuracy_trend: z.array(
      z.object({ week: z.string().describe('ISO 8601 week').meta({ example: '2026-W47' }), avg_confidence: Share }),
    ),
  })
  .meta({ id: 'Usage' });
export type UsageData = z.output<typeof UsageResponse>;
