import { DOCUMENT_AI_LIMITS } from '../contracts/vision-requests.ts';
import type { DocumentAiLimits } from '../contracts/vision-requests.ts';

interface OwnLimits {
  id: number;
  tier: string;
  document_ai_requests_per_minute: number | null;
  document_ai_concurrent_jobs: number | null;
}

/** The tier's limits of Document AI, or the client's own (decisions §9). */
export function documentAiLimits(client: OwnLimits): DocumentAiLimits {
  const tier = DOCUMENT_AI_LIMITS[client.tier];
  if (tier === undefined) throw new Error(`client ${String(client.id)} has an unknown tier ${client.tier}`);
  return {
    requests_per_minute: client.document_ai_requests_per_minute ?? tier.requests_per_minute,
    concurrent_jobs: client.document_ai_concurrent_jobs ?? tier.concurrent_jobs,
  };
}
