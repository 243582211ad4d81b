import type { z } from 'zod';
import { retryOnConflict } from '#platform/nodes/verbs/retry';
import { lookupHash, lookupHashes, closeBox, openBox } from '#platform/crypto/key-ring';
import { randomSecret, drawBytes } from '#platform/crypto/random';
import type { ToolCallId } from '#platform/model/id';
import { identityKey } from '#platform/model/identity';
import { invalidInput, Problem } from '#platform/model/problem';
import type { KeyScope, ServerCaller } from '#people/directory/contract/user';
import type { CallMemo } from '../store/opening.ts';
import type { OpenCall } from '../store/reader.ts';
import { cells } from './question.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { isForeign, coversTool } from '#people/directory/verbs/scope';
import { findCall, isStale } from '../../claims/verbs/claim.ts';
import { assertNotStopped } from '../../stops/verbs.ts';
import { hashBinding } from './view.ts';
import type { BeginMemo, BegunMemo, KeepMemo, SealRound, RedeemState } from '../contract/routes.ts';

/** Milliseconds for which a step that made something for a call that is not stored gets the same idempotency key. */
export const reservationLife = 86_400_000;

type Caller = KeyScope & Pick<ServerCaller, 'proof'>;

/**
 * Returns the memo that an earlier run of the call made under this key, or the id under which this run makes it. The id
 * stays the same until a call keeps it: a step repeated after a crash makes the same again at a service that knows
 * idempotency keys. A call of that name that has ended has its own memos, and the next one begins again.
 */
export async function beginMemo(
  engine: Engine,
  server: Caller,
  request: z.output<typeof BeginMemo>,
): Promise<BegunMemo> {
  const call = await storedCall(engine, server, request);
  const memo = call ? await memoOfCall(engine, server, call, request.key) : await reserve(engine, server, request);
  if (!call || memo.value === null) return { id: memo.id, isKept: false, value: null };
  return { id: memo.id, isKept: true, value: await openMemo(engine, server, call, { id: memo.id, value: memo.value }) };
}

/** Keeps what the step made, sealed, unless another run kept its own first; returns what is kept. */
export async function keepMemo(
  engine: Engine,
  server: Caller,
  call: ToolCallId,
  { id, key, value }: KeepMemo,
): Promise<{ value: unknown }> {
  const { first } = await findCall(engine, server, call);
  const sealed = cells.memo.seal(engine.ring, first, id, value ?? null);
  const of = { call, serverId: server.id, keyHashes: keyHashes(engine, server, key) };
  if (await engine.callMemos.keep({ id, value: sealed }, of)) return { value: value ?? null };
  const memo = await engine.callMemos.ofCall(call, of.keyHashes);
  if (!memo?.value) throw invalidInput(['id'], 'Begin the memo first, and send the id that it got.');
  return { value: cells.memo.open(engine.ring, first, memo.id, memo.value) };
}

async function storedCall(
  engine: Engine,
  server: Caller,
  request: z.output<typeof BeginMemo>,
): Promise<ToolCallId | null> {
  if (request.toolCall !== undefined) return (await findCall(engine, server, request.toolCall)).call.id;
  for (const name of request.calls ?? []) {
    const hashes = lookupHashes(engine.ring, 'idempotency', ...scopeOf(server, request, name));
    const call = await engine.reader.callByName(server.id, hashes);
    if (call && isJoinable(call, engine.now()) && !call.elicitations.some((row) => isForeign(row, server)))
      return call.id;
  }
  return null;
}

/** A call that its caller left is asked again. */
const isJoinable = ({ elicitations }: OpenCall, now: number): boolean =>
  !isStale(elicitations, now) &&
  !elicitations.some(({ audience, cause }) => audience === 'requester' && cause === 'caller_gone');

async function memoOfCall(engine: Engine, server: Caller, call: ToolCallId, key: string): Promise<CallMemo> {
  const hashes = keyHashes(engine, server, key);
  return retryOnConflict(async () => {
    const memo = await engine.callMemos.ofCall(call, hashes);
    if (memo) return memo;
    const scopeHash = lookupHash(engine.ring, 'idempotency', 'memo', server.id, call);
    await addReservation(engine, server, { scopeHash, key, toolCallId: call });
    return null;
  });
}

async function reserve(
  engine: Engine,
  server: Caller,
  { key, ...request }: z.output<typeof BeginMemo>,
): Promise<CallMemo> {
  const parts = ['memo', ...scopeOf(server, request, request.calls?.[0] ?? '')];
  const scopes = lookupHashes(engine.ring, 'idempotency', ...parts);
  const scopeHash = lookupHash(engine.ring, 'idempotency', ...parts);
  const hashes = keyHashes(engine, server, key);
  return retryOnConflict(async () => {
    const since = engine.now() - reservationLife;
    const memo = await engine.callMemos.reserved(scopes, hashes, since);
    if (memo) return memo;
    if (!(await addReservation(engine, server, { scopeHash, key, toolCallId: null })))
      await engine.callMemos.prune(since); // else one that is too old would stay in its place
    return null;
  });
}

const addReservation = (
  engine: Engine,
  { id: serverId }: Caller,
  { key, ...of }: { scopeHash: Buffer; key: string; toolCallId: ToolCallId | null },
): Promise<boolean> =>
  engine.callMemos.reserve({
    id: randomSecret(),
    serverId,
    keyHash: lookupHash(engine.ring, 'idempotency', 'memo-key', serverId, key),
    createdAt: engine.now(),
    ...of,
  });

/** As the first request of the call will name it. */
const scopeOf = (
  { id }: Caller,
  { requester }: Pick<z.output<typeof BeginMemo>, 'requester'>,
  name: string,
): string[] => [id, requester ? identityKey(requester) : '', name];

const keyHashes = ({ ring }: Engine, { id }: Caller, key: string): Buffer[] =>
  lookupHashes(ring, 'idempotency', 'memo-key', id, key);

async function openMemo(
  engine: Engine,
  server: Caller,
  call: ToolCallId,
  { id, value }: { id: string; value: Uint8Array },
): Promise<unknown> {
  const { first } = await findCall(engine, server, call);
  return cells.memo.open(engine.ring, first, id, value);
}

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
  { binding, content }: z.output<typeof SealRound>,
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
  { state, binding }: z.output<typeof RedeemState>,
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
