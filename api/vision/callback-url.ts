import { ApiError } from '../../domain/contracts/errors.ts';
import { addressIssue } from '../../domain/webhooks/index.ts';
import type { Services } from '../services.ts';

/** Refuses an address to which no callback could ever be sent, as webhooks do: later nobody is there to be told. */
export function checkCallbackUrl({ config }: Pick<Services, 'config'>, url: string | undefined): void {
  const issue = url === undefined ? undefined : addressIssue(url, config.ALLOW_PRIVATE_TARGETS);
  if (issue !== undefined) throw ApiError.invalid('webhook_url', issue);
}
