import { and, assign, setup } from 'xstate';
import type { Action, Audience, CallerState, CancelCause, Mode, VoteAction } from '../model/elicitation.ts';
import { isEligible, personsOf, verdictOf, type Ballot } from '../model/quorum.ts';
import type { ApproverGroup, Stage } from '../model/stage.ts';

/** Stored with every row. A renamed state or delay needs the next number and a migration of stored timers. */
export const machineVersion = 2;

export interface CastVote extends Ballot {
  stage: number;
  at: number;
}

export interface ElicitationInput {
  audience: Audience;
  mode: Mode;
  /** In order; the requester audience has none. */
  stages: Stage[];
  openedAt: number;
  deadlineAt: number;
  /** When to remind, in order; all times are milliseconds since 1970. */
  reminders: number[];
}

export interface ElicitationContext extends ElicitationInput {
  /** The time of the event being taken: guards and delays never read a clock. */
  now: number;
  stage: number;
  votes: CastVote[];
  caller: CallerState;
  cause: CancelCause | null;
}

export type ElicitationEvent =
  | { type: 'visit'; at: number }
  | { type: 'answer'; at: number; action: Action }
  | { type: 'callback'; at: number; action: Action }
  | { type: 'vote'; at: number; by: string; for?: string | undefined; action: VoteAction }
  | { type: 'cancel'; at: number; cause: CancelCause }
  | { type: 'extend'; at: number; deadlineAt: number }
  | { type: 'caller'; at: number; state: CallerState };

type VoteEvent = Extract<ElicitationEvent, { type: 'vote' }>;

interface Arguments {
  context: ElicitationContext;
  event: ElicitationEvent;
}

export const currentStage = ({ stages, stage }: Pick<ElicitationContext, 'stages' | 'stage'>): Stage | undefined =>
  stages[stage];

export const votesInStage = ({ votes, stage }: Pick<ElicitationContext, 'votes' | 'stage'>): CastVote[] =>
  votes.filter((vote) => vote.stage === stage);

/** Does this person stand in a vote that keeps them from voting now, as voter or as whom somebody stood in for? */
export function hasVoted(context: Pick<ElicitationContext, 'stages' | 'votes' | 'stage'>, person: string): boolean {
  const counted = currentStage(context)?.freshVoters ? context.votes : votesInStage(context);
  return counted.some((vote) => personsOf(vote).includes(person));
}

function mayVote({ context, event }: Arguments): boolean {
  const stage = currentStage(context);
  if (event.type !== 'vote' || !stage) return false;
  return isEligible(stage, event) && !personsOf(event).some((person) => hasVoted(context, person));
}

/** What this vote would make of its stage. */
const makes =
  (verdict: 'complete' | 'refused') =>
  ({ context, event }: Arguments): boolean => {
    const stage = currentStage(context);
    return event.type === 'vote' && !!stage && verdictOf(stage, [...votesInStage(context), event]) === verdict;
  };

const says =
  (action: Action) =>
  ({ event }: Arguments): boolean =>
    'action' in event && event.action === action;

export const elicitationMachine = setup({
  types: {
    input: {} as ElicitationInput,
    context: {} as ElicitationContext,
    events: {} as ElicitationEvent,
  },
  delays: {
    expire: ({ context }) => context.deadlineAt - context.now,
    remind: ({ context }) => (context.reminders[0] ?? context.deadlineAt) - context.now,
    escalate: ({ context }) => currentStage(context)?.escalation?.steps[0]?.after ?? 0,
  },
  guards: {
    mayVote,
    completes: makes('complete'),
    refuses: makes('refused'),
    accepts: says('accept'),
    declines: says('decline'),
    isForApprovers: ({ context }) => context.audience === 'approvers',
    isLastStage: ({ context }) => context.stage === context.stages.length - 1,
    escalates: ({ context }) => currentStage(context)?.escalation !== undefined,
    hasReminder: ({ context }) => context.reminders.length > 0,
    /** In URL mode the client's accept only means that the person agreed to open the page. */
    isConsent: ({ context, event }) => context.mode === 'url' && event.type === 'answer' && event.action === 'accept',
    isUrl: ({ context }) => context.mode === 'url',
    prolongs: ({ context, event }) => event.type === 'extend' && event.deadlineAt > context.deadlineAt,
  },
  actions: {
    recordVote: assign({
      votes: ({ context, event }) =>
        event.type === 'vote' ? [...context.votes, castVote(event, context.stage)] : context.votes,
    }),
    nextStage: assign({ stage: ({ context }) => context.stage + 1 }),
    recordCaller: assign({ caller: ({ context, event }) => (event.type === 'caller' ? event.state : context.caller) }),
    recordCause: assign({ cause: ({ event }) => (event.type === 'cancel' ? event.cause : 'user') }),
    recordDeadline: assign({
      deadlineAt: ({ context, event }) => (event.type === 'extend' ? event.deadlineAt : context.deadlineAt),
    }),
    dropReminder: assign({ reminders: ({ context }) => context.reminders.slice(1) }),
    addApprovers: assign({ stages: ({ context }) => context.stages.map(withEscalation(context.stage)) }),
    // An effect is named here and becomes an outbox row with whoever stores the transition.
    announce: (_arguments: unknown, _params: { topic: 'reminder' | 'escalated' }) => {},
  },
}).createMachine({
  id: 'elicitation',
  context: ({ input }) => ({ ...input, now: input.openedAt, stage: 0, votes: [], caller: 'waiting', cause: null }),
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      on: {
        cancel: { target: '#elicitation.cancelled', actions: 'recordCause' },
        caller: { actions: 'recordCaller' },
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
                  { guard: 'isConsent', target: '.visited' },
                  { guard: 'accepts', target: '#elicitation.accepted' },
                  { guard: 'declines', target: '#elicitation.declined' },
                  { target: '#elicitation.cancelled', actions: 'recordCause' },
                ],
                callback: [
                  { guard: and(['isUrl', 'accepts']), target: '#elicitation.accepted' },
                  { guard: and(['isUrl', 'declines']), target: '#elicitation.declined' },
                  { guard: 'isUrl', target: '#elicitation.cancelled', actions: 'recordCause' },
                ],
              },
              states: { waiting: { on: { visit: 'visited' } }, visited: {} },
            },
            approvers: {
              initial: 'collecting',
              on: {
                vote: [
                  {
                    guard: and(['mayVote', 'refuses']),
                    actions: 'recordVote',
                    target: '#elicitation.declined',
                  },
                  {
                    guard: and(['mayVote', 'completes', 'isLastStage']),
                    actions: 'recordVote',
                    target: '#elicitation.accepted',
                  },
                  {
                    guard: and(['mayVote', 'completes']),
                    actions: ['recordVote', 'nextStage'],
                    target: '.collecting',
                  },
                  { guard: 'mayVote', actions: 'recordVote' },
                ],
              },
              states: {
                collecting: {
                  initial: 'planning',
                  states: {
                    planning: { always: [{ guard: 'escalates', target: 'escalating' }, { target: 'steady' }] },
                    escalating: {
                      after: {
                        escalate: {
                          target: 'steady',
                          actions: ['addApprovers', { type: 'announce', params: { topic: 'escalated' } }],
                        },
                      },
                    },
                    steady: {},
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
              after: { expire: '#elicitation.expired' },
              on: { extend: { guard: 'prolongs', target: 'running', reenter: true, actions: 'recordDeadline' } },
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
                  actions: ['dropReminder', { type: 'announce', params: { topic: 'reminder' } }],
                },
              },
            },
            quiet: {},
          },
        },
      },
    },
    accepted: { type: 'final' },
    declined: { type: 'final' },
    cancelled: { type: 'final' },
    expired: { type: 'final' },
  },
});

const castVote = ({ by, for: absent, action, at }: VoteEvent, stage: number): CastVote => ({
  by,
  ...(absent !== undefined && { for: absent }),
  action,
  stage,
  at,
});

const withEscalation =
  (index: number) =>
  (stage: Stage, at: number): Stage => {
    const step = stage.escalation?.steps[0];
    if (at !== index || !step) return stage;
    return { ...stage, groups: stage.groups.map((group) => escalated(group, step.approvers)) };
  };

const escalated = (group: ApproverGroup, approvers: string[]): ApproverGroup =>
  group.approvers === 'anyone' ? group : { ...group, approvers: [...new Set([...group.approvers, ...approvers])] };
