import { hashBoundNonce } from '#platform/crypto/digest';
import { mintToken, openToken } from '#access/tokens/rules';
import type { ServerId, ToolCallId } from '#platform/model/id';
import { identityKey, type Identity } from '#platform/model/identity';
import { Problem } from '#platform/model/problem';
import type { KeyScope } from '#people/directory/contract/user';
import type { Engine } from '#platform/nodes/verbs/engine';
import { coversTool, assertOwn } from '#people/directory/verbs/scope';
import { ownerOf } from '../question/sealed-question.ts';

/** The request that may bring the state back. */
export interface StateBinding {
  principal: Identity & { verified: boolean };
  method: string;
  tool: string;
  argumentsDigest: string;
}

/**
 * Seals which tool call a client continues, if the client gets its question as a result and calls again. The state is
 * valid once, for this request, and while one of the call's questions to the requester is open.
 */
export async function sealState(
  engine: Engine,
  server: KeyScope,
  { toolCall, binding }: { toolCall: ToolCallId; binding: StateBinding },
): Promise<{ state: string }> {
  const rows = await engine.reader.callElicitations(toolCall);
  const [first] = rows;
  if (!first) throw new Problem('not-found');
  assertOwn(first, server);
  const now = engine.now();
  const open = rows.filter((row) => row.status === 'open' && row.audience === 'requester' && row.deadlineAt > now);
  const [question] = open;
  if (!question) throw new Problem('already-closed');
  const { session } = ownerOf(engine.ring, question);
  const expiresAt = Math.max(...open.map(({ deadlineAt }) => deadlineAt));
  const state = mintToken(engine.ring, { session, elicitation: question.id, purpose: 'state', expiresAt });
  const { nonce } = openToken(engine.ring, state, 'state', now);
  await engine.tokens.add({ nonceHash: hashBinding(nonce, server.id, binding), serverId: server.id, expiresAt });
  return { state };
}

/**
 * Reads a returned state, once. Every fault gives the same `token-invalid`: tampered, expired, used before, or returned
 * by a key that does not open it, another server or principal or with another method, tool or arguments.
 */
export async function redeemState(
  engine: Engine,
  server: KeyScope,
  { state, binding }: { state: string; binding: StateBinding },
): Promise<{ toolCall: ToolCallId; session: string }> {
  if (!coversTool(server, binding.tool)) throw new Problem('token-invalid');
  const { elicitation, session, nonce } = openToken(engine.ring, state, 'state', engine.now());
  const isFirst = await engine.tokens.take(hashBinding(nonce, server.id, binding));
  const row = isFirst && elicitation ? await engine.reader.elicitation(elicitation) : null;
  if (!row?.dataKey) throw new Problem('token-invalid');
  return { toolCall: row.toolCallId, session };
}

/** What the database holds of a state: the hash of its nonce, for one request alone. */
export function hashBinding(nonce: string, server: ServerId, binding: StateBinding): Buffer {
  const { principal, method, tool, argumentsDigest } = binding;
  const who = principal.verified ? 'verified' : 'unverified';
  return hashBoundNonce(nonce, server, who, identityKey(principal), method, tool, argumentsDigest);
}
