import { actorOfServer } from '#people/directory/verbs/scope';
import { auditEntry, type Actor, type AuditEvent } from '#audit/entries/rules/entry';
import { requestProgress, type RequestProgress } from '#audit/entries/rules/events';
import { newId } from '#platform/crypto/random';
import { collectWithin } from '../../../asking/contract/elicitation.ts';
import type { ElicitationId, ToolCallId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { KeyScope, ServerCaller } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type { ToolCallRow } from '../../store/call-row.ts';
import type { InCommit } from '#platform/database/database';
import type { Epoch } from '#platform/database/epochs';
import type { MoveTerms, NextCall } from '../../store/tool-calls.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { assertOwn } from '#people/directory/verbs/scope';
import { timeAfter } from '#platform/nodes/verbs/lists';

/** A tool call with its questions in order. */
export interface FoundCall {
  call: ToolCallRow & { epoch: Epoch };
  first: ElicitationRow;
  rows: ElicitationRow[];
  /** Who looks for it, for the log. */
  caller: Actor;
}

/** A call that a key of this scope may see; any other counts as absent. */
export async function findCall(
  engine: Engine,
  scope: KeyScope & Pick<ServerCaller, 'proof'>,
  id: ToolCallId,
): Promise<FoundCall> {
  const call = await engine.toolCalls.find(id);
  if (!call) throw new Problem('not-found');
  assertOwn(call, scope);
  const rows = await engine.reader.callElicitations(id);
  const [first] = rows;
  if (!first) throw new Problem('not-found');
  return { call, first, rows, caller: actorOfServer(scope) };
}

type CallEvent = Extract<AuditEvent, { type: `call.${string}` }>;
/** What to log; about the first question unless it names another. */
type Says = SaysOf<CallEvent>;
type SaysOf<E> = E extends CallEvent
  ? Omit<E, 'toolCall' | 'elicitation' | keyof RequestProgress> & { elicitation?: ElicitationId }
  : never;

/**
 * Stores the call's next state with its audit entry; false if the call or one of its questions has changed since it was
 * read.
 */
export const moveCall = (
  engine: Engine,
  invocation: FoundCall,
  next: (at: number) => NextCall,
  says: Says,
  { actor, ...terms }: MoveTerms & { actor?: Actor } = {},
): Promise<boolean> => engine.toolCalls.move(...moveOf(engine, invocation, next, says, actor), terms);

/** The same as part of another commit, which it prevents if the call has changed. */
export const movingCall = (engine: Engine, invocation: FoundCall, next: NextCall, says: Says): InCommit =>
  engine.toolCalls.moving(...moveOf(engine, invocation, () => next, says));

function moveOf(
  engine: Engine,
  { call, first, rows, caller }: FoundCall,
  next: (at: number) => NextCall,
  says: Says,
  actor: Actor = caller,
): Parameters<Engine['toolCalls']['moving']> {
  const at = timeAfter(engine, call.claimedAt ?? 0, ...rows.map(({ state }) => state.context.now));
  const subject = rows.find(({ id }) => id === says.elicitation) ?? first;
  const event = { toolCall: call.id, elicitation: subject.id, ...requestProgress(subject, at), ...says } as CallEvent;
  return [call, rows, next(at), auditEntry(newId('entry'), at, actor, event)];
}

/** All its questions were answered, and no one collected the last answer. */
export const isStale = (elicitations: Pick<ElicitationRow, 'closedAt'>[], now: number): boolean =>
  elicitations.every(({ closedAt }) => closedAt !== null && closedAt + collectWithin <= now);
