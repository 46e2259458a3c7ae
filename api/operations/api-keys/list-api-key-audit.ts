import { z } from 'zod';
import { ApiKeyAuditEntry, ApiKeyId, ListApiKeyAudit } from '../../../domain/contracts/api-keys.ts';
import { apiKeyAudit } from '../../../domain/keys/index.ts';
import { operation } from '../../operation.ts';

export const listApiKeyAuditOperation = operation({
  name: 'list-api-key-audit',
  title: 'List the audit trail of an API key',
  description: 'Lists every change of an API key and every reveal, tried or done, newest first.',
  area: 'API keys',
  scopes: null,
  input: ListApiKeyAudit.extend({ id: ApiKeyId }),
  output: z.array(ApiKeyAuditEntry),
  paginated: true,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/integrations/api-keys/{id}/audit', auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, { id, ...window }) => {
    const { entries, pagination } = await apiKeyAudit(tx, caller, id, window);
    return { data: entries, pagination };
  },
});
