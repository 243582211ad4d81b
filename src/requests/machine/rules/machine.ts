import type { Action, Audience, CallerState, CancelCause, Mode } from '../../asking/contract/elicitation.ts';
import {
  type ApproverGroup,
  type Escalation,
  type EscalationStep,
  type Stage,
  type StageInPlace,
  verdictOf,
  accountsIn,
  isEligible,
  isInFullGroup,
  usersOf,
  type Ballot,
} from '../../voting/contract/stages.ts';
import { Problem } from '#platform/model/problem';
import { and, assign, setup } from 'xstate';

interface Arguments {
  context: ElicitationContext;
  event: ElicitationEvent;
}

/** A guard or an assignment for one kind of event. */
const on =
  <T extends ElicitationEvent['type'], R>(type: T, look: (context: ElicitationContext, event: EventOf<T>) => R) =>
  ({ context, event }: Arguments): R | undefined =>
    event.type === type ? look(context, event as EventOf<T>) : undefined;

/** A guard that is false at every other event. */
export const allows = <T extends ElicitationEvent['type']>(
  type: T,
  look: (context: ElicitationContext, event: EventOf<T>) => boolean,
) => {
  const guard = on(type, look);
  return (args: Arguments): boolean => guard(args) ?? false;
};

export const says =
  (action: Action) =>
  ({ event }: Arguments): boolean =>
    'action' in event && event.action === action;

/** An assignment that changes nothing at every other event. */
export const change = <T extends ElicitationEvent['type']>(
  type: T,
  look: (context: ElicitationContext, event: EventOf<T>) => Partial<ElicitationContext>,
) => {
  const changed = on(type, look);
  return (args: Arguments): Partial<ElicitationContext> => changed(args) ?? {};
};

/** Milliseconds until the next step of this stage's escalation, or until its end; null if nothing follows. */
function escalationWait(context: ElicitationContext): number | null {
  const escalation = currentStage(context)?.escalation;
  if (!escalation || (isExhausted(context) && escalation.end === 'wait')) return null;
  const { steps } = escalation;
  const at = isExhausted(context) ? steps.length - 1 : context.escalated % steps.length;
  return (steps[at]?.after ?? 0) - (steps[at - 1]?.after ?? 0);
}

/** Have all steps of all rounds been taken? */
function isExhausted(context: ElicitationContext): boolean {
  const escalation = currentStage(context)?.escalation;
  return !escalation || context.escalated >= escalation.steps.length * escalation.loops;
}

/** The step that the current stage's escalation takes next, if it has one. */
function nextStep(context: ElicitationContext): EscalationStep | undefined {
  const steps = currentStage(context)?.escalation?.steps ?? [];
  return steps[context.escalated % steps.length];
}

/**
 * Does the stage begin again with the next step? If another stage takes its place, another number of approvals is needed,
 * or the votes from before would complete it now, they would count by a rule under which they were not given, and no one
 * would be left to vote.
 */
export function restarts(context: ElicitationContext): boolean {
  const current = currentStage(context);
  const step = isExhausted(context) ? undefined : nextStep(context);
  if (!current || !step) return false;
  const votes = votesInStage(context);
  if (step.stage && !stands(step.stage, current)) return true;
  const isOther = current.groups.some(({ approve }) => step.approve !== undefined && approve !== step.approve);
  return isOther || verdictOf(stageAfter(current, step, votes), votes) === 'complete';
}

/** Does this stage stand there already, from an earlier round? */
const stands = ({ name, complete, groups }: StageInPlace, current: Stage): boolean =>
  current.name === name && current.complete === complete && JSON.stringify(current.groups) === JSON.stringify(groups);

/** The name of the stage that takes the place of the current one with the next step; null if none does. */
export function nameInPlace(context: ElicitationContext): string | null {
  const step = isExhausted(context) ? undefined : nextStep(context);
  return step?.stage && restarts(context) ? step.stage.name : null;
}

type Escalated = Pick<ElicitationContext, 'stages' | 'votes' | 'escalated' | 'remindedAt'>;

/**
 * Adds the next step's persons to the current stage, or puts the step's stage in its place. People who have voted stay,
 * unless the stage begins again.
 */
export function escalate(context: ElicitationContext): Escalated {
  const { stages, stage, escalated } = context;
  const step = nextStep(context);
  const votes = restarts(context) ? context.votes.filter((vote) => vote.stage !== stage) : context.votes;
  const kept = votesInStage({ votes, stage });
  const after = stages.map((current, at) => (at === stage && step ? stageAfter(current, step, kept) : current));
  return { stages: after, votes, escalated: escalated + 1, remindedAt: context.now };
}

function stageAfter(stage: Stage, step: EscalationStep, votes: CastVote[]): Stage {
  const voters = votes.map(({ by, for: absent }) => absent ?? by);
  return {
    ...stage,
    ...(step.stage ?? { groups: stage.groups.map((group) => withStep(group, step, voters)) }),
    ...(stage.escalation && { escalation: withTaken(stage.escalation, step) }),
    ...replacementAfter(stage, step),
  };
}

/** The steps from which the stage's persons come, once one of them has put a stage in its place. */
function replacementAfter({ replacement, escalation }: Stage, step: EscalationStep): Pick<Stage, 'replacement'> {
  const at = escalation?.steps.indexOf(step) ?? 0;
  if (step.stage) return { replacement: { step: at, since: [] } };
  return replacement ? { replacement: { ...replacement, since: [...new Set([...replacement.since, at])] } } : {};
}

/** A stage that collects again restarts its rounds, but the people who were added stay. */
const withTaken = (escalation: Escalation, next: EscalationStep): Escalation => ({
  ...escalation,
  steps: escalation.steps.map((step) => (step === next ? { ...step, taken: true } : step)),
});

function withStep(
  group: ApproverGroup,
  { mode, approvers, approve = group.approve }: EscalationStep,
  voters: string[],
): ApproverGroup {
  const before = group.approvers;
  if (before === 'anyone' && mode === 'add') return { ...group, approve };
  const kept = mode === 'add' ? before : voters.filter((user) => before === 'anyone' || before.includes(user));
  return { ...group, approve, approvers: [...new Set([...kept, ...approvers])] };
}

/** The most stages that policies and approvers can make. */
const maxStages = 20;

export const hasRoomForStage = ({ stages }: Pick<ElicitationContext, 'stages'>): boolean => stages.length < maxStages;

/** Refuses a stage that could be complete without a vote; problem `internal`, because no checked policy has one. */
export function assertNoEmptyStage(stages: readonly Stage[]): void {
  const isHollow = ({ groups }: Pick<Stage, 'groups'>) =>
    groups.length === 0 || groups.some(({ approve, deny }) => !(approve >= 1 && deny >= 1));
  const inPlace = stages.flatMap(({ escalation }) => escalation?.steps.flatMap(({ stage }) => stage ?? []) ?? []);
  if ([...stages, ...inPlace].some(isHollow))
    throw new Problem('internal', { detail: 'Give each stage at least one vote.' });
}

/** May this person be added as an approver? Not twice, and not if the current stage excludes them. */
function mayAdd(context: ElicitationContext, user: string): boolean {
  const current = currentStage(context);
  const isComing = context.stages.slice(context.stage).some(({ added }) => added === user);
  return !!current && !current.excluded.includes(user) && !isComing && hasRoomForStage(context);
}

/** The stages with one after the current one that needs exactly this person. */
function withApprover({ stages, stage }: ElicitationContext, user: string): Stage[] {
  const added: Stage = {
    name: 'Added approver',
    complete: 'all',
    groups: [{ name: 'Added approver', approve: 1, deny: 1, approvers: [user], meaning: 'approved' }],
    excluded: stages[stage]?.excluded ?? [],
    freshVoters: false,
    added: user,
  };
  return stages.toSpliced(stage + 1, 0, added);
}

/** The following stage as it starts, or one more after the last; added approvers stay. */
const withNext = ({ stages, stage }: ElicitationContext, next: Stage | undefined): Stage[] =>
  next && !stages[stage + 1]?.added ? stages.toSpliced(stage + 1, 1, next) : stages;

/** Is the current stage the last one? */
const isLastStage = ({ stages, stage }: ElicitationContext, next: Stage | undefined): boolean =>
  stage === stages.length - 1 && next === undefined;

/** An edit never takes away an approver who was added. */
const withAdded = ({ stages }: ElicitationContext, again: Stage[]): Stage[] => [
  ...again,
  ...stages.filter(({ added }) => added !== undefined),
];

type Collecting = Pick<ElicitationContext, 'stages' | 'stage' | 'votes'>;

/** The stage that collects votes; none once all are complete. */
export const currentStage = ({ stages, stage }: Pick<Collecting, 'stages' | 'stage'>): Stage | undefined =>
  stages[stage];

/** The votes of the stage that runs, or of another. */
export const votesInStage = ({ votes, stage }: Pick<Collecting, 'votes' | 'stage'>, of = stage): CastVote[] =>
  votes.filter((vote) => vote.stage === of);

/** Is there a vote by or for this person, under whatever account, that keeps them from voting now? */
export function hasVoted(context: Collecting, user: string, stage = currentStage(context)): boolean {
  const counted = stage?.freshVoters ? context.votes : votesInStage(context);
  return counted.some((vote) => accountsIn(stage ?? {}, vote).includes(user));
}

/** A vote may update the current stage. */
type AtStage = { stageNow?: Stage | undefined };

export function mayCast(context: Collecting, ballot: Pick<Ballot, 'by' | 'for' | 'issuer'> & AtStage): boolean {
  const stage = ballot.stageNow ?? currentStage(context);
  if (!stage || ballot.by === ballot.for) return false;
  return isEligible(stage, ballot) && !usersOf(ballot).some((user) => hasVoted(context, user, stage));
}

/** The stored vote. */
export const castVote = (
  { by, for: absent, issuer, action, allowFor, answer, at }: EventOf<'vote'>,
  { stage }: ElicitationContext,
): CastVote => ({
  by,
  ...(absent !== undefined && { for: absent }),
  ...(issuer !== undefined && { issuer }),
  action,
  stage,
  at,
  ...(allowFor !== undefined && { allowFor }),
  ...(answer !== undefined && { answer }),
});

/** The stored emergency override. */
const castOverride = ({ by, issuer }: EventOf<'breakGlass'>) => ({
  breakGlassBy: by,
  ...(issuer !== undefined && { breakGlassIssuer: issuer }),
});

/** The result of this vote for its stage. */
export function verdictWith(context: Collecting, ballot: Ballot & AtStage): ReturnType<typeof verdictOf> {
  const stage = ballot.stageNow ?? currentStage(context);
  return stage ? verdictOf(stage, [...votesInStage(context), ballot]) : null;
}

/**
 * May this person, for themselves or for another, do what approvers do apart from voting? They may have voted; once all
 * is
 * approved, the last stage counts.
 */
export function mayAct(
  { stages, stage }: Pick<Collecting, 'stages' | 'stage'>,
  user: string,
  absent?: string,
): boolean {
  const acting = stages[Math.min(stage, stages.length - 1)];
  return !!acting && isEligible(acting, { by: user, for: absent });
}

/** The most remarks a request can have. */
const maxRemarks = 200;

export const hasRoom = ({ remarks }: Pick<ElicitationContext, 'remarks'>): boolean => remarks < maxRemarks;

export const isExcluded = ({ stages, stage }: Pick<Collecting, 'stages' | 'stage'>, user: string): boolean =>
  stages[Math.min(stage, stages.length - 1)]?.excluded.includes(user) ?? true;

/** This person's last vote that still counts. */
export const lastVote = ({ votes }: Pick<Collecting, 'votes'>, user: string): CastVote | undefined =>
  votes.findLast(({ by }) => by === user);

/** The votes without this person's last one. */
export const withoutVote = (context: Collecting, user: string): Pick<Collecting, 'stage' | 'votes'> =>
  without(context, (vote) => vote === lastVote(context, user));

/**
 * If the current stage completes when this person withdraws their last vote, a refusal that held up one of several
 * groups: the approval that completes it. Otherwise undefined.
 */
export function releasedBy(context: Collecting, user: string): CastVote | undefined {
  if (!lastVote(context, user)) return undefined;
  const { stage, votes } = withoutVote(context, user);
  const current = currentStage(context);
  const remaining = votesInStage({ votes, stage });
  if (!current || stage !== context.stage || verdictOf(current, remaining) !== 'complete') return undefined;
  return remaining.findLast((vote) => vote.action === 'accept' && isInFullGroup(current, remaining, vote));
}

/** The votes without those by or for this person. */
export const withoutUser = (context: Collecting, event: Voided): Pick<Collecting, 'stage' | 'votes'> =>
  without(context, (vote) => isVoid(vote, event));

type Voided = Pick<EventOf<'void'>, 'user' | 'stage'>;

/** The complete stage that collects again without these votes; null if none does. */
export const reopenedBy = ({ stage }: Collecting, after: Pick<Collecting, 'stage'>): number | null =>
  after.stage < stage ? after.stage : null;

/** Does this event take this vote away? */
export const isVoid = (vote: CastVote, { user, stage }: Voided): boolean =>
  usersOf(vote).includes(user) && (stage === undefined || vote.stage === stage);

/** The first stage that is no longer complete collects again, and later votes are void. */
function without(context: Collecting, isTaken: (vote: CastVote) => boolean): Pick<Collecting, 'stage' | 'votes'> {
  const votes = context.votes.filter((vote) => !isTaken(vote));
  const isComplete = (stage: Stage, at: number) => verdictOf(stage, votesInStage({ votes, stage: at })) === 'complete';
  const reopened = context.stages.slice(0, context.stage).findIndex((stage, at) => !isComplete(stage, at));
  const stage = reopened < 0 ? context.stage : reopened;
  return { stage, votes: votes.filter((vote) => vote.stage <= stage) };
}

/** May this person mark the request as theirs to review, or, with `until` null, end that? */
function mayWatch({ watch, now, ...context }: ElicitationContext, { by, until }: EventOf<'watch'>): boolean {
  const isTaken = watch !== null && watch.by !== by && watch.until > now;
  return until === null ? watch?.by === by : !isTaken && mayAct(context, by);
}

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
  /** Outcome at the deadline. A timer never approves. */
  onTimeout: 'expire' | 'deny';
  /** The earliest start of the approved call, before the deadline; or null. */
  notBefore: number | null;
  /** Milliseconds for which a complete approval waits, so that it can still be taken back; null for none. */
  undo?: number | null | undefined;
  /** When to remind, in order. */
  reminders: number[];
  /** The standing approval that accepts it in place of people. */
  grant?: string;
  /** Milliseconds for which a provider may take to say what happened there; absent if nothing is expected of one. */
  settlesWithin?: number | undefined;
}

export interface ElicitationContext extends ElicitationInput {
  /** The time of the event being taken: guards and delays never read a clock. */
  now: number;
  /** An edit makes the next one, without votes. */
  revision: number;
  /** The stage that collects votes; their number once all are complete. */
  stage: number;
  /** Votes on this revision, without withdrawn ones. */
  votes: CastVote[];
  /** Escalation steps taken in this stage, in all rounds. */
  escalated: number;
  caller: CallerState;
  cause: CancelCause | null;
  /** The person reviewing it; a hint that keeps no one from voting. */
  watch: { by: string; until: number } | null;
  /** The question to the requester that has no reply yet. */
  inquiry: string | null;
  /** When people were last reminded, or an escalation asked more of them; absent before. */
  remindedAt?: number;
  /** End of the time to take back the complete approval; absent without `undo`. */
  settlesAt?: number;
  /** The requester has gone to the provider of whom an outcome is expected; absent before. */
  hasLeft?: true;
  /** The number of remarks. */
  remarks: number;
  /** The person who approved it past its policy. */
  breakGlassBy: string | null;
  /** The issuer of the credential they used; absent if no one issued it. */
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

/** `pending`: on its way. `mismatch`: it happened, and not as it was asked. */
export type Settlement = Action | 'pending' | 'mismatch';

const causeOf = (event: ElicitationEvent): CancelCause => {
  if (event.type === 'cancel') return event.cause;
  return event.type === 'settle' && event.verdict === 'mismatch' ? 'mismatch' : 'user';
};

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
  /** What the provider says, by its event or when it was asked. */
  settle: { verdict: Settlement };
  cancel: { cause: CancelCause };
  extend: { deadlineAt: number };
  caller: { state: CallerState };
}

export type EventOf<T extends keyof Events> = { type: T; at: number } & Events[T];

export type ElicitationEvent = { [T in keyof Events]: EventOf<T> }[keyof Events];

/** Stored with every row. A changed form of stored rows needs the next number, and a step in migrations.ts. */
export const machineVersion = 6;

/**
 * `scheduled`: approved, and waiting for its start. `visited`: the requester has agreed to open the page. `settling`: they
 * were at the provider, and it has not said what happened.
 */
export type StateTag = 'scheduled' | 'visited' | 'settling';

/** Is the requester at a provider, so that the deadline does not end it? */
export const isOutside = ({ settlesWithin, hasLeft }: ElicitationContext): boolean =>
  settlesWithin !== undefined && hasLeft === true;

const settledBy = (...verdicts: Settlement[]) =>
  allows('settle', (_context, { verdict }) => verdicts.includes(verdict));

const phase = { isPhase: true } as const;
const nextIn = (event: ElicitationEvent) => ('next' in event ? event.next : undefined);

export const elicitationMachine = setup({
  types: {
    input: {} as ElicitationInput,
    context: {} as ElicitationContext,
    events: {} as ElicitationEvent,
    /** Marks the phases that people see: a request is always in one of them. */
    meta: {} as { isPhase: true },
    /** Questions about a stored state, by name. */
    tags: {} as StateTag,
  },
  delays: {
    expire: ({ context }) => context.deadlineAt - context.now,
    remind: ({ context }) => (context.reminders[0] ?? context.deadlineAt) - context.now,
    escalate: ({ context }) => escalationWait(context) ?? 0,
    start: ({ context }) => startOf(context) - context.now,
    unsettle: ({ context }) => context.settlesWithin ?? 0,
  },
  guards: {
    mayCast: allows('vote', mayCast),
    completes: allows('vote', (context, vote) => verdictWith(context, vote) === 'complete'),
    refuses: allows('vote', (context, vote) => verdictWith(context, vote) === 'refused'),
    hasVote: allows('withdraw', (context, { by }) => lastVote(context, by) !== undefined),
    releases: allows('withdraw', (context, { by }) => releasedBy(context, by) !== undefined),
    reopens: allows('withdraw', (context, { by }) => withoutVote(context, by).stage < context.stage),
    stands: allows('void', ({ votes }, event) => votes.some((vote) => isVoid(vote, event))),
    reopensWithout: allows('void', (context, event) => withoutUser(context, event).stage < context.stage),
    mayEdit: allows('edit', (context, { by, stages }) => stages.length > 0 && mayAct(context, by)),
    mayAdd: allows('addApprover', (context, { by, user }) => mayAct(context, by) && mayAdd(context, user)),
    mayWatch: allows('watch', mayWatch),
    hasRoom: ({ context }) => hasRoom(context),
    mayInquire: allows('inquire', (context, { by }) => context.inquiry === null && mayAct(context, by)),
    isAsked: ({ context }) => context.inquiry !== null,
    mayPostpone: allows('postpone', (context, { by, notBefore }) => {
      const isLater = notBefore > Math.max(context.now, context.notBefore ?? 0);
      return isLater && notBefore < context.deadlineAt && mayAct(context, by);
    }),
    mayBreakGlass: allows('breakGlass', (context, { by }) => !isExcluded(context, by)),
    accepts: says('accept'),
    declines: says('decline'),
    isForApprovers: ({ context }) => context.audience === 'approvers',
    isLastStage: ({ context, event }) => isLastStage(context, nextIn(event)),
    isEarly: ({ context }) => startOf(context) > context.now,
    escalates: ({ context }) => escalationWait(context) !== null,
    isExhausted: ({ context }) => isExhausted(context),
    hasReminder: ({ context }) => context.reminders.length > 0,
    deniesOnTimeout: ({ context }) => context.onTimeout === 'deny',
    /** In URL mode the client's accept only means that the person agreed to open the page. */
    isConsent: ({ context, event }) => context.mode === 'url' && event.type === 'answer' && event.action === 'accept',
    isUrl: ({ context }) => context.mode === 'url',
    isOutside: ({ context }) => isOutside(context),
    isPaid: settledBy('accept'),
    isRefused: settledBy('decline'),
    isPending: settledBy('pending'),
    isOver: settledBy('cancel', 'mismatch'),
    prolongs: allows('extend', (context, { deadlineAt }) => deadlineAt > context.deadlineAt),
  },
  actions: {
    recordVote: assign(change('vote', (context, vote) => ({ votes: [...context.votes, castVote(vote, context)] }))),
    nextStage: assign(({ context, event }) => ({
      stages: withNext(context, nextIn(event)),
      stage: context.stage + 1,
      escalated: 0,
    })),
    settle: assign(({ context }) => settle(context)),
    takeBack: assign(change('withdraw', (context, { by }) => withoutVote(context, by))),
    takeAway: assign(change('void', withoutUser)),
    startEscalation: assign({ escalated: 0 }),
    revise: assign(
      change('edit', (context, { stages }) => ({
        stages: withAdded(context, stages),
        stage: 0,
        votes: [],
        escalated: 0,
        revision: context.revision + 1,
      })),
    ),
    addApprover: assign(change('addApprover', (context, { user }) => ({ stages: withApprover(context, user) }))),
    recordWatch: assign(
      change('watch', (_context, { by, until }) => ({ watch: until === null ? null : { by, until } })),
    ),
    countRemark: assign({ remarks: ({ context }) => context.remarks + 1 }),
    recordInquiry: assign(change('inquire', (_context, { remark }) => ({ inquiry: remark }))),
    closeInquiry: assign({ inquiry: null }),
    recordStart: assign(change('postpone', (_context, { notBefore }) => ({ notBefore }))),
    recordBreakGlass: assign(change('breakGlass', (_context, override) => castOverride(override))),
    recordCaller: assign(change('caller', (_context, { state }) => ({ caller: state }))),
    recordCause: assign({ cause: ({ event }) => causeOf(event) }),
    recordUnsettled: assign({ cause: 'unsettled' as const }),
    recordLeave: assign(({ context }) => (context.settlesWithin === undefined ? {} : { hasLeft: true as const })),
    recordDeadline: assign(change('extend', (_context, { deadlineAt }) => ({ deadlineAt }))),
    // Everything else that is due by now, for example after an outage, is taken with this one.
    dropReminders: assign({
      reminders: ({ context }) => context.reminders.slice(1).filter((at) => at > context.now),
      remindedAt: ({ context }) => context.now,
    }),
    escalate: assign(({ context }) => escalate(context)),
    // An effect is named here and becomes an outbox row when the transition is stored.
    announce: (_arguments: unknown, _params: { topic: 'reminder' | 'escalated' | 'inquired' | 'break-glass' }) => {},
  },
}).createMachine({
  id: 'elicitation',
  context: ({ input }) => initialContext(input),
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      on: {
        cancel: { target: '#elicitation.cancelled', actions: 'recordCause' },
        caller: { actions: 'recordCaller' },
        remark: { guard: 'hasRoom', actions: 'countRemark' },
        inform: { guard: and(['isAsked', 'hasRoom']), actions: ['countRemark', 'closeInquiry'] },
      },
      states: {
        asking: {
          initial: 'routing',
          states: {
            routing: { always: [{ guard: 'isForApprovers', target: 'approvers' }, { target: 'requester' }] },
            requester: {
              initial: 'waiting',
              on: {
                answer: [
                  { guard: 'isConsent', target: '.visited', actions: 'recordLeave' },
                  { guard: 'accepts', target: '#elicitation.accepted' },
                  { guard: 'declines', target: '#elicitation.declined' },
                  { target: '#elicitation.cancelled', actions: 'recordCause' },
                ],
                settle: [
                  { guard: 'isPaid', target: '#elicitation.accepted' },
                  { guard: 'isRefused', target: '#elicitation.declined' },
                  { guard: 'isOver', target: '#elicitation.cancelled', actions: 'recordCause' },
                ],
                callback: [
                  { guard: and(['isUrl', 'accepts']), target: '#elicitation.accepted' },
                  { guard: and(['isUrl', 'declines']), target: '#elicitation.declined' },
                  { guard: 'isUrl', target: '#elicitation.cancelled', actions: 'recordCause' },
                ],
              },
              states: { waiting: { meta: phase, on: { visit: 'visited' } }, visited: { meta: phase, tags: 'visited' } },
            },
            approvers: {
              initial: 'collecting',
              on: {
                withdraw: [
                  {
                    guard: and(['hasVote', 'reopens']),
                    actions: ['takeBack', 'startEscalation'],
                    target: '.collecting',
                  },
                  { guard: and(['releases', 'isLastStage']), actions: ['takeBack', 'nextStage'], target: '.approved' },
                  { guard: 'releases', actions: ['takeBack', 'nextStage'], target: '.collecting' },
                  { guard: 'hasVote', actions: 'takeBack' },
                ],
                /** A void refusal approves nothing by itself; the next approval can. */
                void: [
                  {
                    guard: and(['stands', 'reopensWithout']),
                    actions: ['takeAway', 'startEscalation'],
                    target: '.collecting',
                  },
                  { guard: 'stands', actions: 'takeAway' },
                ],
                postpone: { guard: 'mayPostpone', actions: 'recordStart' },
                breakGlass: {
                  guard: 'mayBreakGlass',
                  actions: ['recordBreakGlass', { type: 'announce', params: { topic: 'break-glass' } }],
                  target: '#elicitation.accepted',
                },
              },
              states: {
                collecting: {
                  meta: phase,
                  initial: 'planning',
                  on: {
                    vote: [
                      { guard: and(['mayCast', 'refuses']), actions: 'recordVote', target: '#elicitation.declined' },
                      {
                        guard: and(['mayCast', 'accepts', 'completes', 'isLastStage']),
                        actions: ['recordVote', 'nextStage'],
                        target: 'approved',
                      },
                      {
                        guard: and(['mayCast', 'accepts', 'completes']),
                        actions: ['recordVote', 'nextStage'],
                        target: 'collecting',
                        reenter: true,
                      },
                      { guard: 'mayCast', actions: 'recordVote' },
                    ],
                    edit: { guard: 'mayEdit', actions: 'revise', target: 'collecting', reenter: true },
                    addApprover: { guard: 'mayAdd', actions: 'addApprover' },
                    watch: { guard: 'mayWatch', actions: 'recordWatch' },
                    inquire: {
                      guard: and(['mayInquire', 'hasRoom']),
                      actions: ['recordInquiry', 'countRemark', { type: 'announce', params: { topic: 'inquired' } }],
                    },
                  },
                  states: {
                    planning: { always: [{ guard: 'escalates', target: 'escalating' }, { target: 'steady' }] },
                    escalating: {
                      after: {
                        escalate: [
                          { guard: 'isExhausted', target: '#elicitation.declined' },
                          {
                            target: 'planning',
                            actions: ['escalate', { type: 'announce', params: { topic: 'escalated' } }],
                          },
                        ],
                      },
                    },
                    steady: {},
                  },
                },
                approved: {
                  entry: 'settle',
                  always: [{ guard: 'isEarly', target: 'scheduled' }, { target: '#elicitation.accepted' }],
                },
                /** Approved, but not yet started: the approvers may still take their votes back. */
                scheduled: {
                  meta: phase,
                  tags: 'scheduled',
                  after: { start: '#elicitation.accepted' },
                  on: {
                    postpone: { guard: 'mayPostpone', actions: 'recordStart', target: 'scheduled', reenter: true },
                  },
                },
              },
            },
          },
        },
        deadline: {
          initial: 'running',
          states: {
            running: {
              after: {
                expire: [
                  { guard: 'isOutside', target: 'settling' },
                  { guard: 'deniesOnTimeout', target: '#elicitation.declined' },
                  { target: '#elicitation.expired' },
                ],
              },
              on: {
                extend: { guard: 'prolongs', target: 'running', reenter: true, actions: 'recordDeadline' },
                settle: { guard: 'isPending', target: 'settling' },
              },
            },
            /** The requester was at the provider, so that neither yes nor no is known until it says what happened. */
            settling: {
              tags: 'settling',
              after: { unsettle: { target: '#elicitation.cancelled', actions: 'recordUnsettled' } },
            },
          },
        },
        reminding: {
          initial: 'planning',
          states: {
            planning: { always: [{ guard: 'hasReminder', target: 'waiting' }, { target: 'quiet' }] },
            waiting: {
              after: {
                remind: {
                  target: 'planning',
                  actions: ['dropReminders', { type: 'announce', params: { topic: 'reminder' } }],
                },
              },
            },
            quiet: {},
          },
        },
      },
    },
    accepted: { type: 'final', meta: phase },
    declined: { type: 'final', meta: phase },
    cancelled: { type: 'final', meta: phase },
    expired: { type: 'final', meta: phase },
  },
});

/** When an approved call may start: not before its own start, nor while the approval can be taken back. */
const startOf = ({ notBefore, settlesAt }: ElicitationContext): number => Math.max(notBefore ?? 0, settlesAt ?? 0);

/** A complete approval can be taken back for a while, which never lasts until the deadline: it would expire. */
const settle = ({ undo, now, deadlineAt }: ElicitationContext): Pick<ElicitationContext, 'settlesAt'> =>
  undo ? { settlesAt: Math.min(now + undo, deadlineAt - 1) } : {};
