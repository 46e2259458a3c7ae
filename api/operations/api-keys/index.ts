import { createApiKeyOperation } from './create-api-key.ts';
import { deleteApiKeyOperation } from './delete-api-key.ts';
import { getApiKeyOperation } from './get-api-key.ts';
import { getRateLimitTierOperation } from './get-rate-limit-tier.ts';
import { listApiKeyAuditOperation } from './list-api-key-audit.ts';
import { listApiKeysOperation } from './list-api-keys.ts';
import { revealApiKeyOperation } from './reveal-api-key.ts';
import { rotateApiKeyOperation } from './rotate-api-key.ts';
import { updateApiKeyOperation } from './update-api-key.ts';
import type { Operation } from '../../operation.ts';

export const apiKeyOperations: readonly Operation[] = [
  listApiKeysOperation,
  createApiKeyOperation,
  getApiKeyOperation,
  updateApiKeyOperation,
  deleteApiKeyOperation,
  revealApiKeyOperation,
  rotateApiKeyOperation,
  listApiKeyAuditOperation,
  getRateLimitTierOperation,
];
