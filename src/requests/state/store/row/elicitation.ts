import type { StoredState } from '../../../machine/rules/step/stored-state.ts';
import type { Audience, CallerState, CancelCause, Mode, Risk, Status } from '../../../asking/contract/elicitation.ts';
import type { ElicitationId, ServerId, ToolCallId } from '#platform/model/id';
import {
  bytes,
  defineTable,
  inSeveral,
  integer,
  later,
  text,
  texts,
  time,
  uncovered,
  unread,
} from '#platform/database/sql';

/** Sealed bytes, so that no person can read them. */
const sealed = bytes;

/** The columns of a request, in the order of its digest: never change it, and put a new column last, as `later`. */
export const elicitationTable = defineTable('elicitation', {
  id: text<ElicitationId>(),
  toolCallId: text<ToolCallId>(),
  step: text(),
  serverId: text<ServerId>(),
  tool: text(),
  audience: text<Audience>(),
  mode: text<Mode>(),
  risk: text<Risk>(),
  status: text<Status>(),
  cause: text<CancelCause | null>(),
  caller: text<CallerState>(),
  revision: integer(),
  /** Compare-and-set: every change adds one. */
  version: integer(),
  state: inSeveral(
    { machine_version: 'int', snapshot: 'jsonb', timers: 'jsonb' },
    ({ version, timers, ...snapshot }: StoredState) => ({ machine_version: version, snapshot, timers }),
    ({ machine_version: version, snapshot, timers }): StoredState => ({ version, timers, ...snapshot }),
  ),
  wakeAt: unread(uncovered('it decides nothing: what a timer does follows from the state', time<number | null>())),
  openedAt: time(),
  deadlineAt: time(),
  closedAt: time<number | null>(),
  /** Keyed hash of what was asked, so that a repeated request is told from a different one. */
  requestHash: bytes(),
  sessionHash: bytes<Uint8Array | null>(),
  requesterHash: bytes<Uint8Array | null>(),
  /** Whom it has named so far: `readersOf`. */
  readers: texts(),
  /** By this an opening finds the request that asks approvers the same; null if none may join. */
  equalHash: bytes<Uint8Array | null>(),
  /** The call if it has a name. Otherwise empty, and only one of these is open at a time. */
  wish: text(),
  digest: text(),
  policy: text(),
  owner: uncovered('it is sealed for its place, and sealed again when secrets change', sealed()),
  dataKey: uncovered('it is sealed for its place, and erased with the content', sealed<Uint8Array | null>()),
  payload: sealed(),
  answer: sealed<Uint8Array | null>(),
  /** What the policies decided, and why; null if only the built-in policy applied. */
  explanation: sealed<Uint8Array | null>(),
  /** The trace of the call that asked, as its caller says. */
  traceparent: later(text<string | null>()),
  /** The names of the policies that decided next to its own; null in rows from before. */
  alsoBy: uncovered('requests are found by it, and the entry says if it is so', texts<string[] | null>()),
});

/** What each change writes, next to the version. */
export const changedColumns = [
  'status',
  'cause',
  'caller',
  'state',
  'wakeAt',
  'deadlineAt',
  'closedAt',
  'readers',
  'answer',
] as const;

/** What an edit of the question writes as well. */
export const revisedColumns = ['revision', 'digest', 'policy', 'risk', 'payload', 'explanation', 'alsoBy'] as const;
