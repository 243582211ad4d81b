import { hashSecret } from '#core/crypto/one-time-secret';
import { openToken } from '#core/crypto/tokens/token';
import type { Outcome } from '#protocol/model/elicitation';
import { Problem } from '#protocol/model/problem';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { ownerOf } from '../elicitation/sealed-question.ts';

/**
 * The requester's question a token is bound to. Any other token gives the same `token-invalid`: tampered, foreign,
 * expired, for another purpose, not yet bound, or for approvers, who never answer by token.
 */
export async function elicitationByToken(
  engine: Engine,
  token: string,
  purpose: 'page' | 'connect' | 'callback',
  at = engine.now(),
): Promise<ElicitationRow> {
  const claims = openToken(engine.ring, token, purpose, at);
  const id = claims.elicitation ?? (await engine.tokens.find(hashSecret(claims.nonce)))?.elicitationId;
  const row = id ? await engine.reader.elicitation(id) : null;
  if (!row?.dataKey || row.audience !== 'requester' || ownerOf(engine.ring, row).session !== claims.session)
    throw new Problem('token-invalid');
  return row;
}

/** Milliseconds for which a link still tells its requester how their question ended. */
const tellsEndMs = 3_600_000;

/**
 * As above, for a page, with how the question ended. To an open one a link leads until its deadline; of an ended one it
 * only tells, and no one but the browser that proved to be its requester's.
 */
export async function pageByToken(
  engine: Engine,
  token: string,
): Promise<{ row: ElicitationRow; end: Outcome | null }> {
  const row = await elicitationByToken(engine, token, 'page', engine.now() - tellsEndMs);
  if (!isOpen(engine, row)) return { row, end: row.status === 'open' ? 'expired' : row.status };
  openToken(engine.ring, token, 'page', engine.now());
  return { row, end: null };
}

const isOpen = (engine: Engine, { status, deadlineAt }: ElicitationRow): boolean =>
  status === 'open' && deadlineAt > engine.now();

/** What a link to the connect page leads to. */
interface Connection {
  /** By which cookies and forms of a browser belong to it. */
  tag: string;
  /** Null if there is nothing to answer: strangers see no difference. */
  row: ElicitationRow | null;
}

export async function findConnection(engine: Engine, token: string): Promise<Connection> {
  try {
    const row = await elicitationByToken(engine, token, 'connect');
    return { tag: row.id, row: isOpen(engine, row) ? row : null };
  } catch (error) {
    if (error instanceof Problem && error.code === 'token-invalid') return { tag: token, row: null };
    throw error;
  }
}
