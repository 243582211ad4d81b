import { hashSecret } from '#platform/crypto/random';
import { openToken } from '#access/tokens/rules';
import type { Outcome } from '../../../asking/contract/elicitation.ts';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { ownerOf } from '../../../asking/verbs/question/sealed-question.ts';

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
): Promise<{ row: ElicitationRow; link: PageLink; end: Outcome | null }> {
  const row = await elicitationByToken(engine, token, 'page', engine.now() - tellsEndMs);
  const { nonce } = openToken(engine.ring, token, 'page', 0);
  const link = { elicitation: row.id, linkHash: hashSecret(nonce) };
  if (!isOpen(engine, row)) return { row, link, end: row.status === 'open' ? 'expired' : row.status };
  openToken(engine.ring, token, 'page', engine.now());
  return { row, link, end: null };
}

/** One link to the page of a request. Each time that a client asks, it gets another one. */
export interface PageLink {
  elicitation: ElicitationId;
  linkHash: Buffer;
}

export const isOpen = (engine: Engine, { status, deadlineAt }: ElicitationRow): boolean =>
  status === 'open' && deadlineAt > engine.now();

/** What a link to the connect page leads to. */
interface Connection {
  /** By which cookies and forms of a browser belong to it. */
  tag: string;
  /** Null if there is nothing to answer: strangers see no difference. */
  row: ElicitationRow | null;
  /** For which tries of a code count, also after the end of its request; null if this installation made no such link. */
  link: PageLink | null;
}

export async function findConnection(engine: Engine, token: string): Promise<Connection> {
  const link = await findLink(engine, token);
  if (!link) return { tag: token, row: null, link };
  const row = await openedByToken(engine, token, 'connect');
  return { tag: link.elicitation, row: row && isOpen(engine, row) ? row : null, link };
}

/** The requester's question that this token opens now; null if it opens none. */
export const openedByToken = (
  engine: Engine,
  token: string,
  purpose: 'page' | 'connect',
): Promise<ElicitationRow | null> => elicitationByToken(engine, token, purpose).catch(nullIfInvalid);

async function findLink(engine: Engine, token: string): Promise<PageLink | null> {
  try {
    const { elicitation, nonce } = openToken(engine.ring, token, 'connect', 0);
    if (elicitation === null || !(await engine.reader.elicitation(elicitation))) return null;
    return { elicitation, linkHash: hashSecret(nonce) };
  } catch (error) {
    return nullIfInvalid(error);
  }
}

function nullIfInvalid(error: unknown): null {
  if (error instanceof Problem && error.code === 'token-invalid') return null;
  throw error;
}
