import type { Action, Audience, CallerState, CancelCause, Mode } from '../../../asking/contract/elicitation.ts';
import type { Ballot } from '../../../voting/contract/quorum/quorum.ts';
import type { Stage } from '../../../voting/contract/quorum/stage.ts';

export interface CastVote extends Ballot {
  stage: number;
  at: number;
  /** Milliseconds of the standing approval this person would give. */
  allowFor?: number;
  /** Sealed, in base64: what an approval answers, if it may complete its stage later. */
  answer?: string;
}

/** All times are milliseconds since 1970. */
export interface ElicitationInput {
  audience: Audience;
  mode: Mode;
  /** In order; the requester audience has none. */
  stages: Stage[];
  openedAt: number;
  deadlineAt: number;
  /** What happens at the deadline. A timer never approves. */
  onTimeout: 'expire' | 'deny';
  /** The earliest start of the approved call, before the deadline; or null. */
  notBefore: number | null;
  /** Milliseconds for which a complete approval waits, so that it can still be taken back; null for none. */
  undo?: number | null | undefined;
  /** When to remind, in order. */
  reminders: number[];
  /** The standing approval that accepts it in place of people. */
  grant?: string;
}

export interface ElicitationContext extends ElicitationInput {
  /** The time of the event being taken: guards and delays never read a clock. */
  now: number;
  /** An edit makes the next one, without votes. */
  revision: number;
  /** The stage that collects votes; their number once all are complete. */
  stage: number;
  /** Of this revision, without what was withdrawn. */
  votes: CastVote[];
  /** Escalation steps taken in this stage, in all rounds. */
  escalated: number;
  caller: CallerState;
  cause: CancelCause | null;
  /** Who is reviewing it; a hint that keeps no one from voting. */
  watch: { by: string; until: number } | null;
  /** The question to the requester that has no reply yet. */
  inquiry: string | null;
  /** When people were last reminded, or an escalation asked more of them; absent before. */
  remindedAt?: number;
  /** Until when the complete approval can be taken back; absent without `undo`. */
  settlesAt?: number;
  /** The number of remarks. */
  remarks: number;
  /** Who approved it past its policy. */
  breakGlassBy: string | null;
  /** Who issued the credential they did it with; absent if no one did. */
  breakGlassIssuer?: string;
}

export const initialContext = (input: ElicitationInput): ElicitationContext => ({
  ...input,
  undo: input.undo ?? null,
  now: input.openedAt,
  revision: 1,
  stage: 0,
  votes: [],
  escalated: 0,
  caller: 'waiting',
  cause: null,
  watch: null,
  inquiry: null,
  remarks: 0,
  breakGlassBy: null,
});

interface Events {
  visit: object;
  answer: { action: Action };
  callback: { action: Action };
  /** `next` is the following stage with the persons it has when it starts, or one more that has become due. */
  vote: Ballot & {
    next?: Stage | undefined;
    /** The current stage, updated if fewer of its persons count than when it started. */
    stageNow?: Stage | undefined;
    allowFor?: number | undefined;
    answer?: string | undefined;
  };
  /** Withdraws this person's last vote. `next` as with a vote, if the stage is complete without it. */
  withdraw: { by: string; next?: Stage | undefined };
  /** Voids every vote by or for this person, in this stage or in all. */
  void: { user: string; stage?: number | undefined };
  /** Another question replaces it: these stages begin again, without votes. */
  edit: { by: string; stages: Stage[] };
  /** One more stage after the current one, that needs exactly this person. */
  addApprover: { by: string; user: string };
  /** `until` null ends it. */
  watch: { by: string; until: number | null };
  remark: object;
  inquire: { by: string; remark: string };
  inform: object;
  postpone: { by: string; notBefore: number };
  /** The emergency override. */
  breakGlass: Pick<Ballot, 'by' | 'issuer'>;
  cancel: { cause: CancelCause };
  extend: { deadlineAt: number };
  caller: { state: CallerState };
}

export type EventOf<T extends keyof Events> = { type: T; at: number } & Events[T];

export type ElicitationEvent = { [T in keyof Events]: EventOf<T> }[keyof Events];
