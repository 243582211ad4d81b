import { timingSafeEqual } from 'node:crypto';
import { lookupHashes } from '../crypto/lookup-hash.ts';
import type { ServerId, ToolCallId } from '../model/id.ts';
import { Problem } from '../model/problem.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import type { Engine } from './engine.ts';
import { markCaller } from './mark-caller.ts';
import { isStale, settleStale } from './tool-call.ts';

/** How a call is found again: by its keyed hash, never by its name. */
export interface CallName {
  server: ServerId;
  step: string;
  parts: string[];
  keyHash: Buffer;
  request: string;
  requestHash: Buffer;
}

/** The call of this name that is not settled, with its question at this step if it was asked; null where there is none. */
export async function joinCall(
  engine: Engine,
  name: CallName,
): Promise<{ call: ToolCallId; row: ElicitationRow | null } | null> {
  const call = await engine.reader.callByName(name.server, lookupHashes(engine.ring, 'idempotency', ...name.parts));
  if (!call) return null;
  if (isStale(call.elicitations, engine.now())) {
    await settleStale(engine, call);
    return null;
  }
  const row = call.elicitations.find(({ step }) => step === name.step);
  if (!row) return { call: call.id, row: null };
  refuseDivergence(engine, row, name);
  const isBack = row.status === 'open' && row.caller === 'gone';
  return { call: call.id, row: isBack ? await markCaller(engine, name.server, row.id, 'waiting') : row };
}

/** The same name with another question is an error, never a guess. */
function refuseDivergence({ ring }: Engine, { requestHash }: ElicitationRow, name: CallName): void {
  const hashes = lookupHashes(ring, 'idempotency', name.request);
  if (!hashes.some((hash) => timingSafeEqual(hash, requestHash))) throw new Problem('idempotency-mismatch');
}
