import type { CredentialId } from '#platform/model/id';
import type { Engine } from '#platform/nodes/verbs/engine';
import { openDecision, openQuestion, sealDecision } from '#requests/asking/verbs/question';
import type { ElicitationRow } from '#requests/state/store/row';
import type { Intent } from '#requests/state/verbs/intent';
import type { ExpectedConnection } from '../../providers/expects.ts';
import { clientAt } from '../../auto/verbs/issuer.ts';
import type { NamedConnection } from './tokens.ts';

interface Answered {
  actor: Intent['actor'];
  expects: Pick<ExpectedConnection, 'provider'>;
  /** Null if the person declined at the provider, or permitted too little there. */
  connection: NamedConnection | null;
  now: number;
}

/** Ends a question for a connection; without one, as declined. */
export function connectedIntent(
  { ring }: Pick<Engine, 'ring'>,
  row: ElicitationRow,
  { actor, expects: { provider }, connection, now }: Answered,
): Intent {
  const action = connection ? 'accept' : 'decline';
  const content = connection && { connection: connection.id, account: connection.account };
  return {
    actor,
    event: { type: 'callback', action, at: now },
    answer: sealDecision(ring, row, { ...(content && { content }), comment: null }),
    says: (fields) => ({ type: 'elicitation.answered', channel: 'page', action, provider, ...fields }),
  };
}

/** The end of a question for a connection, and whether the connection is still there. */
export interface ConnectionEnd {
  provider: string;
  server: string;
  /** The name that the provider gave what was connected; null if nothing was. */
  account: string | null;
  isConnected: boolean;
}

/** Null if the question expected no connection, or ended without an answer of its requester. */
export async function findConnectionEnd(
  engine: Pick<Engine, 'connect' | 'connectChosen' | 'credentials' | 'ring'>,
  row: ElicitationRow,
): Promise<ConnectionEnd | null> {
  const { credentials, ring } = engine;
  const { expects } = openQuestion(ring, row);
  if (expects?.kind !== 'connection' || (row.status !== 'accepted' && row.status !== 'declined')) return null;
  const client = clientAt(engine, expects);
  const end = { provider: client?.settings.label ?? expects.provider, server: row.serverName };
  const { connection, account } = openDecision(ring, row)?.content ?? {};
  if (typeof connection !== 'string' || typeof account !== 'string')
    return { ...end, account: null, isConnected: false };
  const stored = await credentials.byId(connection as CredentialId);
  return { ...end, account, isConnected: stored !== null && stored.refusedAt === null };
}
