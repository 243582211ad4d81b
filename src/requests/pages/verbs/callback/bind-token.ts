import { hashSecret } from '#platform/crypto/random';
import { isCallbackToken, openToken, type TokenClaims } from '#access/tokens/rules';
import type { Audience, Mode } from '../../../asking/contract/elicitation.ts';
import type { ElicitationId, ServerId } from '#platform/model/id';
import { invalidInput, Problem } from '#platform/model/problem';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { forApprovers } from './mint-token.ts';

/** A token given as `elicitationId`, valid for the question that is being asked. */
export interface Binding {
  nonceHash: Buffer;
  /** The question it is already bound to, if the same call asks again. */
  boundTo: ElicitationId | null;
}

interface Naming {
  elicitationId?: string | undefined;
  mode: Mode;
  session?: string | undefined;
  requester: { subject: string };
}

/**
 * Reads a token made before its question, which must be in URL mode and for the requester. INVALID_INPUT for the token
 * of a callback address, because clients read this one. Problem `token-invalid`, without a reason, if it was made
 * elsewhere, by another server, in another session or for an existing question, or has expired unbound.
 */
export async function readBinding(
  engine: Engine,
  server: ServerId,
  { elicitationId: token, mode, session, requester }: Naming,
  audience: Audience,
): Promise<Binding | null> {
  if (token === undefined) return null;
  if (mode !== 'url') throw urlModeOnly();
  if (audience !== 'requester') throw forApprovers();
  if (isCallbackToken(engine.ring, token)) throw nameOnly();
  const claims = openEither(engine, token);
  const nonceHash = hashSecret(claims.nonce);
  const stored = claims.elicitation === null ? await engine.tokens.find(nonceHash) : null;
  // A call that comes back in another session names its own question.
  const isOfSession = stored?.elicitationId != null || claims.session === (session ?? requester.subject);
  if (stored?.serverId !== server || !isOfSession) throw new Problem('token-invalid');
  // A call that comes back names its question for as long as that is kept.
  if (stored.elicitationId === null && claims.expiresAt <= engine.now()) throw new Problem('token-invalid');
  return { nonceHash, boundTo: stored.elicitationId };
}

const urlModeOnly = (): Problem =>
  invalidInput(['elicitationId'], "Use mode 'url': only its questions can have a token.");

const nameOnly = (): Problem =>
  invalidInput(['elicitationId'], 'Give the `token`, not that of the `callbackUrl`: the client reads this one.');

function openEither({ ring }: Engine, token: string): TokenClaims {
  try {
    return openToken(ring, token, 'name', 0);
  } catch {
    return openToken(ring, token, 'page', 0);
  }
}

/** A token that is bound to a question opens no other. */
export function assertSameQuestion(binding: Binding | null, joined: ElicitationId | undefined): void {
  if (binding?.boundTo && binding.boundTo !== joined) throw new Problem('token-invalid');
}

/** Milliseconds for which a service can report late on a question that has ended. */
const lateFor = 30 * 86_400_000;

type Bound = Pick<ElicitationRow, 'id' | 'deadlineAt'>;

/** Binds the token to this question permanently; problem `token-invalid` if another question was faster. */
export async function bindToken(engine: Engine, { nonceHash }: Binding, { id, deadlineAt }: Bound): Promise<void> {
  if (!(await engine.tokens.bind(nonceHash, id, deadlineAt + lateFor))) throw new Problem('token-invalid');
}
