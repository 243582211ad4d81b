import { drawBytes } from '#platform/crypto/random';
import { closeBox, openBox } from '#platform/crypto/key-ring';
import { Problem } from '#platform/model/problem';
import type { KeyScope } from '#people/directory/contract/user';
import type { Engine } from '#platform/nodes/verbs/engine';
import { coversTool } from '#people/directory/verbs/scope';
import { assertNotStopped } from '../../../stops/verbs/assert-not-stopped.ts';
import { hashBinding, type StateBinding } from '../view/request-state.ts';

/** Milliseconds in which a client's person may answer: one day. */
const roundLasts = 86_400_000;

interface Round {
  nonce: string;
  expiresAt: number;
  content: string;
}

/**
 * Seals what a server needs to go on with a call that runs already, when its client calls again with more. The state is
 * valid once, for this request and for a day, at every node.
 */
export async function sealRound(
  engine: Engine,
  server: KeyScope,
  { binding, content }: { binding: StateBinding; content: string },
): Promise<{ state: string }> {
  if (!coversTool(server, binding.tool))
    throw new Problem('forbidden', { refusal: { code: 'other-tools', values: { tool: binding.tool } } });
  const round: Round = { nonce: drawBytes(16).toString('base64url'), expiresAt: engine.now() + roundLasts, content };
  const state = closeBox(engine.ring, 'tokenSeal', ['round'], JSON.stringify(round)).toString('base64url');
  const nonceHash = hashBinding(round.nonce, server.id, binding);
  await engine.tokens.add({ nonceHash, serverId: server.id, expiresAt: round.expiresAt });
  return { state };
}

/**
 * Reads a returned state, once. Every fault gives the same `token-invalid`, as for the states of questions. While an
 * administrator has stopped the tool it is `stopped`, and the state stays valid.
 */
export async function redeemRound(
  engine: Engine,
  server: KeyScope,
  { state, binding }: { state: string; binding: StateBinding },
): Promise<{ content: string }> {
  const { nonce, expiresAt, content } = openRound(engine, state);
  if (!coversTool(server, binding.tool) || expiresAt <= engine.now()) throw new Problem('token-invalid');
  const snapshot = await engine.rules.snapshot();
  assertNotStopped(await snapshot.stops(), { serverId: server.id, tool: binding.tool });
  if (!(await engine.tokens.take(hashBinding(nonce, server.id, binding)))) throw new Problem('token-invalid');
  return { content };
}

function openRound({ ring }: Engine, state: string): Round {
  const box = Buffer.from(state, 'base64url');
  // Several texts decode to the same bytes, and only one of them was issued.
  if (box.toString('base64url') !== state) throw new Problem('token-invalid');
  try {
    return JSON.parse(openBox(ring, 'tokenSeal', ['round'], box).toString('utf8'));
  } catch (cause) {
    throw new Problem('token-invalid', { cause });
  }
}
