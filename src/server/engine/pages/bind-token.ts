import { hashSecret } from '#core/crypto/one-time-secret';
import { openToken, type TokenClaims } from '#core/crypto/tokens/token';
import type { Audience, Mode } from '#protocol/model/elicitation';
import type { ElicitationId, ServerId } from '#protocol/model/id';
import { invalidInput, Problem } from '#protocol/model/problem';
import type { Engine } from '../engine.ts';
import { forApprovers } from './mint-token.ts';

/** A token given as `elicitationId`, valid for the question that is being asked. */
export interface Binding {
  nonceHash: Buffer;
  purpose: 'page' | 'callback';
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
 * Reads a token made before its question, which must be in URL mode and for the requester. Problem `token-invalid`,
 * without a reason, if it was made elsewhere, by another server, in another session or for an existing question, or has
 * expired.
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
  const claims = openEither(engine, token);
  const nonceHash = hashSecret(claims.nonce);
  const stored = claims.elicitation === null ? await engine.tokens.find(nonceHash) : null;
  const isOurs = stored?.serverId === server && claims.session === (session ?? requester.subject);
  if (!stored || !isOurs) throw new Problem('token-invalid');
  return { nonceHash, purpose: claims.purpose === 'page' ? 'page' : 'callback', boundTo: stored.elicitationId };
}

const urlModeOnly = (): Problem =>
  invalidInput(['elicitationId'], "Use mode 'url': only its questions can have a token.");

function openEither({ ring, now }: Engine, token: string): TokenClaims {
  try {
    return openToken(ring, token, 'callback', now());
  } catch {
    return openToken(ring, token, 'page', now());
  }
}

/** A token that is bound to a question opens no other. */
export function assertSameQuestion(binding: Binding | null, joined: ElicitationId | undefined): void {
  if (binding?.boundTo && binding.boundTo !== joined) throw new Problem('token-invalid');
}

/** Binds the token to this question permanently; problem `token-invalid` if another question was faster. */
export async function bindToken(engine: Engine, { nonceHash }: Binding, id: ElicitationId): Promise<void> {
  if (!(await engine.tokens.bind(nonceHash, id))) throw new Problem('token-invalid');
}
