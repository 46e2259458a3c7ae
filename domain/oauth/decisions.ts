import { audit } from '../audit/index.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { OAuthApplication } from './application.ts';

/** A user's answer to an application's request. */
export interface Decision {
  application: Pick<OAuthApplication, 'id' | 'clientId'>;
  userId: number;
  redirectUri: string;
  scopes: readonly string[];
  /** Where the user's browser is. */
  address: string | null;
}

/** Notes who let an application act, or didn't, for what, and where the answer went. */
export function noteDecision(tx: Transaction, decision: Decision, what: 'approved' | 'denied'): void {
  const { application, userId, redirectUri, scopes, address } = decision;
  audit(
    tx,
    { clientId: application.clientId, actor: { type: 'user', id: String(userId) }, address },
    {
      action: `oauth_application.${what}`,
      subjectType: 'oauth_application',
      subjectId: String(application.id),
      details: { scopes, redirect_uri: redirectUri },
    },
  );
}

/** A denial leaves nothing but its note. */
export async function recordDenial(system: Pick<SystemDatabase, 'transaction'>, decision: Decision): Promise<void> {
  await system.transaction((tx) => {
    noteDecision(tx, decision, 'denied');
    return Promise.resolve();
  });
}
