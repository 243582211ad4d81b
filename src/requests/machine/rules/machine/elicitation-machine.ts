import { and, assign, setup } from 'xstate';
import {
  castOverride,
  castVote,
  hasRoom,
  isExcluded,
  isVoid,
  lastVote,
  mayAct,
  mayCast,
  mayWatch,
  releasedBy,
  verdictWith,
  withoutUser,
  withoutVote,
} from './ballots.ts';
import { initialContext, type ElicitationContext, type ElicitationEvent, type ElicitationInput } from './context.ts';
import { allows, change, says } from './by-event.ts';
import { escalate, escalationWait, isExhausted } from './escalation.ts';
import { isLastStage, mayAdd, withAdded, withApprover, withNext } from './stages.ts';

/** Stored with every row. A changed form of stored rows needs the next number, and a step in migrations.ts. */
export const machineVersion = 5;

/** `scheduled`: approved, and waiting for its start. `visited`: the requester has agreed to open the page. */
export type StateTag = 'scheduled' | 'visited';

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
    recordCause: assign({ cause: ({ event }) => (event.type === 'cancel' ? event.cause : 'user') }),
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
                  { guard: 'deniesOnTimeout', target: '#elicitation.declined' },
                  { target: '#elicitation.expired' },
                ],
              },
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
