import type { z } from 'zod';
import type { KeyRing } from '#platform/crypto/key-ring';
import { outcomeAction, type CallerState } from '../contract/elicitation.ts';
import type { ElicitationRow } from '../../state/store/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { formatWhy } from '#policies/deciding/verbs/open';
import { openInquiry } from '../../deliberation/verbs/deliberate.ts';
import { requesterAddress } from '../../pages/verbs/proof.ts';
import { runDigest, runOf, openDecision, openQuestion, type Decision, ownerOf } from './question.ts';
import { readable, currentElicitation, changeElicitation } from '../../state/verbs/change.ts';
import { hashBoundNonce } from '#platform/crypto/bound-nonce';
import { mintToken, openToken } from '#access/tokens/rules';
import type { ServerId, ToolCallId, ElicitationId } from '#platform/model/id';
import { identityKey } from '#platform/model/identity';
import { Problem } from '#platform/model/problem';
import type { KeyScope } from '#people/directory/contract/user';
import { coversTool, assertOwn, actorOfServer } from '#people/directory/verbs/scope';
import type { SealState, RedeemState, StateBinding } from '../contract/routes.ts';
import type { ElicitationState } from '../contract/open.ts';

export function viewElicitation(engine: { ring: KeyRing; publicUrl(): string }, row: ElicitationRow): ElicitationState {
  const { id, step, status, audience, mode, cause, openedAt, deadlineAt, closedAt, revision, digest } = row;
  const decision = decisionOf(engine.ring, row);
  const url = readable(() => requesterAddress(engine, row));
  const edited = revision > 1 ? argumentsOf(engine.ring, row) : null;
  const run = readable(() => runDigest(runOf(row.tool, openQuestion(engine.ring, row))));
  const sentence = readable(() => formatWhy(engine.ring, row));
  return {
    id,
    step,
    status,
    audience,
    mode,
    cause,
    openedAt,
    deadlineAt,
    closedAt,
    revision,
    digest,
    ...(run !== null && { run }),
    toolCall: row.toolCallId,
    action: status === 'open' ? null : outcomeAction[status],
    ...(decision?.content && { content: decision.content }),
    comment: decision?.comment ?? null,
    ...(edited && { arguments: edited }),
    ...(sentence !== null && { policy: { name: row.policy, sentence } }),
    statusUrl: `${engine.publicUrl()}/requests/${id}`,
    ...(url !== null && { url }),
  };
}

/** The same, with the question to the requester that waits for a reply. */
export async function viewWithInquiry(
  engine: Pick<Engine, 'ring' | 'publicUrl' | 'proceedings' | 'users'>,
  row: ElicitationRow,
): Promise<ElicitationState> {
  const inquiry = await openInquiry(engine, row);
  return { ...viewElicitation(engine, row), ...(inquiry && { inquiry }) };
}

/** The content of an accept must be readable, or nothing runs; every other state can be shown without content. */
const unlessAccepted = <T>({ status }: ElicitationRow, open: () => T): T | null =>
  status === 'accepted' ? open() : readable(open);

const decisionOf = (ring: KeyRing, row: ElicitationRow): Decision | null =>
  row.status === 'open' ? null : unlessAccepted(row, () => openDecision(ring, row));

const argumentsOf = (ring: KeyRing, row: ElicitationRow): Record<string, unknown> | null =>
  unlessAccepted(row, () => JSON.parse(openQuestion(ring, row).arguments) as Record<string, unknown>);

/**
 * Seals which tool call a client continues, if the client gets its question as a result and calls again. The state is
 * valid once, for this request, and while one of the call's questions to the requester is open.
 */
export async function sealState(
  engine: Engine,
  server: KeyScope,
  { toolCall, binding }: z.output<typeof SealState>,
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
  { state, binding }: z.output<typeof RedeemState>,
): Promise<{ toolCall: ToolCallId; session: string }> {
  if (!coversTool(server, binding.tool)) throw new Problem('token-invalid');
  const { elicitation, session, nonce } = openToken(engine.ring, state, 'state', engine.now());
  const isFirst = await engine.tokens.take(hashBinding(nonce, server.id, binding));
  const row = isFirst && elicitation ? await engine.reader.elicitation(elicitation) : null;
  if (!row?.dataKey) throw new Problem('token-invalid');
  return { toolCall: row.toolCallId, session };
}

/** The stored form of a state: the hash of its nonce, for one request alone. */
export function hashBinding(nonce: string, server: ServerId, binding: z.output<typeof StateBinding>): Buffer {
  const { principal, method, tool, argumentsDigest } = binding;
  const who = principal.verified ? 'verified' : 'unverified';
  return hashBoundNonce(nonce, server, who, identityKey(principal), method, tool, argumentsDigest);
}

/**
 * Resolves with the elicitation when it is closed, or as it is when the signal aborts. A wake-up is only a hint: the
 * row is read again each time. It listens until the signal aborts: abort it when this has settled.
 */
export async function waitForOutcome(
  engine: Engine,
  server: KeyScope,
  id: ElicitationId,
  signal: AbortSignal,
): Promise<ElicitationRow> {
  for (;;) {
    // Listen before reading, so that a change between the two still wakes.
    const changed = engine.feed.changed(id, signal);
    const row = await currentElicitation(engine, id);
    assertOwn(row, server);
    if (row.status !== 'open' || signal.aborted) return row;
    await changed;
  }
}

/** Records whether the caller still waits. It decides nothing, and leaves a closed elicitation unchanged. */
export const markCaller = (
  engine: Engine,
  server: KeyScope,
  id: ElicitationId,
  state: CallerState,
): Promise<ElicitationRow> =>
  changeElicitation(engine, id, (row, now) => {
    assertOwn(row, server);
    if (row.status !== 'open' || row.caller === state) return null;
    return {
      actor: actorOfServer(server),
      event: { type: 'caller', state, at: now },
      says: (fields) => ({ type: 'elicitation.caller', caller: state, ...fields }),
    };
  });
