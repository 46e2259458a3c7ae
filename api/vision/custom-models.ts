import type { Caller } from '../../domain/contracts/caller.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import { CUSTOM_PREFIX } from '../../domain/contracts/vision-models.ts';
import { servingParameters } from '../../domain/vision/index.ts';
import type { Services } from '../services.ts';

/** Refuses a call for a custom model that the client has not (404) or that was never trained (422), before it is charged. */
export async function checkCustomModel(
  { services, caller }: { services: Services; caller: Caller },
  documentType: string | undefined,
): Promise<void> {
  if (documentType?.startsWith(CUSTOM_PREFIX) !== true) return;
  const modelId = documentType.slice(CUSTOM_PREFIX.length);
  const parameters = await services.tenants.transaction(caller.clientId, (tx) => servingParameters(tx, modelId));
  if (parameters !== null) return;
  const issue = `the custom model ${modelId} is not trained yet; POST /api/v1/vision/models/${modelId}/train`;
  throw ApiError.unprocessable(`document_type: ${issue}`, [{ field: 'document_type', issue }]);
}
