import { hashSecret } from '#platform/crypto/random';
import { mintPair, mintToken, openToken } from '#access/tokens/rules';
import type { ElicitationId } from '#platform/model/id';
import { invalidInput, Problem } from '#platform/model/problem';
import type { KeyScope } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { assertOwn } from '#people/directory/verbs/scope';
import { callbackAddress, pageAddress } from '../proof/requester-address.ts';
import { renewedPageCode } from '../proof/page-code.ts';
import { ownerOf } from '../../../asking/verbs/question/sealed-question.ts';

interface TokenRequest {
  session: string;
  /** Milliseconds. */
  ttl: number;
  purpose: 'page' | 'callback';
  elicitation?: ElicitationId | undefined;
}

/** Milliseconds. The callback is valid as long as its question, and then to report late: its question decides. */
const callbackLife = 366 * 86_400_000;

/**
 * Makes a token for one purpose: for an open question, or for a later question that then names the token.
 * The question must be this server's, this session's and for the requester. For a callback the token is only a name,
 * which clients may read; what reports is in the address for the service.
 */
export async function mintElicitationToken(engine: Engine, server: KeyScope, request: TokenRequest) {
  const { session, purpose, elicitation, ttl } = request;
  const row = elicitation === undefined ? null : await askedQuestion(engine, server, elicitation);
  if (row) assertFit(engine, row, request);
  const now = engine.now();
  const expiresAt = now + ttl;
  const tokens = makeTokens(engine, { session, purpose, expiresAt, elicitation: row?.id ?? null });
  if (!row) await engine.tokens.add({ nonceHash: hashSecret(tokens.nonce), serverId: server.id, expiresAt });
  return {
    token: tokens.token,
    expiresAt,
    pageUrl: purpose === 'page' ? pageAddress(engine.publicUrl(), tokens.token) : null,
    callbackUrl: tokens.callback === null ? null : callbackAddress(engine.publicUrl(), tokens.callback),
    ...(row && purpose === 'page' && (await renewedPageCode(engine, row))),
  };
}

interface Claims extends Pick<TokenRequest, 'session' | 'purpose'> {
  expiresAt: number;
  elicitation: ElicitationId | null;
}

function makeTokens({ ring, now }: Engine, { purpose, ...claims }: Claims) {
  if (purpose === 'callback') {
    const { name, ...pair } = mintPair(ring, { ...claims, callbackUntil: now() + callbackLife });
    return { token: name, ...pair };
  }
  const token = mintToken(ring, { ...claims, purpose });
  return { token, callback: null, nonce: openToken(ring, token, purpose, now()).nonce };
}

async function askedQuestion({ reader }: Engine, server: KeyScope, id: ElicitationId): Promise<ElicitationRow> {
  const row = await reader.elicitation(id);
  if (!row) throw new Problem('not-found');
  assertOwn(row, server);
  return row;
}

function assertFit({ ring }: Engine, row: ElicitationRow, { session, purpose }: TokenRequest): void {
  if (row.status !== 'open') throw new Problem('already-closed');
  if (row.audience !== 'requester') throw forApprovers();
  if (ownerOf(ring, row).session !== session)
    throw invalidInput(['session'], 'Use the session of the question: it was asked in another one.');
  if (purpose === 'callback' && row.mode !== 'url')
    throw invalidInput(['purpose'], 'Ask in URL mode: only there a callback is possible.');
}

/** Approvers never answer by a link or a callback. */
export const forApprovers = (): Problem =>
  new Problem('forbidden', { detail: 'Wait for approvers: they answer this request in the console, not by a token.' });
