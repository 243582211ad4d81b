import { auditEntry, type AuditEntry } from '../../audit/entry.ts';
import { newId, randomSecret } from '../../crypto/random.ts';
import type { ServerId, ToolCallId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { OpenCall } from '../../store/elicitation/reader.ts';
import type { ToolCallRow } from '../../store/elicitation/call-row.ts';
import type { Engine } from '../engine.ts';
import { timeAfter } from '../time-after.ts';
import { openResult, sealResult } from '../elicitation/sealed-question.ts';

type Claim = { state: 'claimed' } | { state: 'running'; since: number } | { state: 'completed'; result: unknown };

/**
 * Releases the call's one execution to the first attempt that asks; asking again under the same name changes nothing.
 * Problem `not-now` while an approver's question is not accepted, `already-executed` once the call is settled.
 */
export async function claimToolCall(engine: Engine, server: ServerId, id: ToolCallId, attempt: string): Promise<Claim> {
  for (;;) {
    const found = await findCall(engine, server, id);
    const { call, first, rows } = found;
    const held = heldClaim(engine, call, first, attempt);
    if (held) return held;
    if (rows.some(({ audience, status }) => audience === 'approvers' && status !== 'accepted'))
      throw new Problem('not-now');
    if (isStale(rows, engine.now())) throw new Problem('already-executed', { detail: lapsed });
    const entry = callEntry(engine, 'call.claimed', found, attempt);
    if (await engine.toolCalls.claim(call, attempt, entry)) return { state: 'claimed' };
  }
}

const lapsed = 'This approval was not used within an hour and has lapsed. Ask again.';

/** Milliseconds an answer may lie before its call must ask anew. */
const collectWithin = 3_600_000;

/** Everything it asked was answered, and nobody came for the last answer. */
export const isStale = (elicitations: Pick<ElicitationRow, 'closedAt'>[], now: number): boolean =>
  elicitations.every(({ closedAt }) => closedAt !== null && closedAt + collectWithin <= now);

/**
 * Ends the call: settled where its result reached the caller, else its result is kept for the retry.
 * A settled one keeps its result, too, where one is given: a task may be read again.
 */
export async function completeToolCall(
  engine: Engine,
  server: ServerId,
  id: ToolCallId,
  { attempt, delivered, result }: { attempt: string; delivered: boolean; result?: unknown },
): Promise<void> {
  const found = await findCall(engine, server, id);
  const { call, first } = found;
  if (call.state === 'settled') return;
  const seal = (kept: unknown) => sealResult(engine.ring, first, id, kept);
  const ending = delivered
    ? ({ state: 'settled', result: result === undefined ? null : seal(result) } as const)
    : ({ state: 'completed', result: seal(result ?? null) } as const);
  const type = delivered ? 'call.settled' : 'call.completed';
  await engine.toolCalls.complete(call, attempt, ending, callEntry(engine, type, found, attempt));
}

/** The attempt that claimed the call asks on before it acts: the execution is there to be claimed again. */
export async function releaseToolCall(
  engine: Engine,
  server: ServerId,
  id: ToolCallId,
  attempt: string,
): Promise<void> {
  const found = await findCall(engine, server, id);
  const { call } = found;
  if (call.state !== 'claimed' || call.attempt !== attempt) return;
  await engine.toolCalls.release(call, attempt, callEntry(engine, 'call.released', found, attempt));
}

/** An answer nobody collected in time is let go, so that the next equal call asks anew. */
export async function settleStale(engine: Engine, { id, elicitations }: OpenCall): Promise<void> {
  const [first] = elicitations;
  if (first) await completeToolCall(engine, first.serverId, id, { attempt: randomSecret(), delivered: true });
}

interface FoundCall {
  call: ToolCallRow;
  first: ElicitationRow;
  rows: ElicitationRow[];
}

/** A call of this server with its questions in order; another server's is as good as absent. */
export async function findCall(engine: Engine, server: ServerId, id: ToolCallId): Promise<FoundCall> {
  const call = await engine.toolCalls.find(id);
  if (!call || call.serverId !== server) throw new Problem('not-found');
  const rows = await engine.reader.callElicitations(id);
  const [first] = rows;
  if (!first) throw new Problem('not-found');
  return { call, first, rows };
}

function heldClaim(engine: Engine, call: ToolCallRow, first: ElicitationRow, attempt: string): Claim | null {
  if (call.state === 'settled') throw new Problem('already-executed');
  if (call.state === 'completed') {
    return { state: 'completed', result: call.result && openResult(engine.ring, first, call.id, call.result) };
  }
  if (call.state === 'open') return null;
  return call.attempt === attempt ? { state: 'claimed' } : { state: 'running', since: call.claimedAt ?? 0 };
}

function callEntry(
  engine: Engine,
  type: 'call.claimed' | 'call.released' | 'call.completed' | 'call.settled',
  { call, first, rows }: FoundCall,
  attempt: string,
): AuditEntry {
  const { id, serverId, claimedAt } = call;
  const at = timeAfter(engine, claimedAt ?? 0, ...rows.map(({ state }) => state.context.now));
  return auditEntry(
    newId('entry'),
    at,
    { kind: 'server', id: serverId },
    { type, toolCall: id, elicitation: first.id, attempt },
  );
}
