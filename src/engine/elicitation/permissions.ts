import { currentStage, hasRoom, hasVoted, isExcluded, lastVote, mayAct } from '../../machine/ballots.ts';
import { hasRoomForStage } from '../../machine/stages.ts';
import { isScheduled } from '../../machine/step.ts';
import { longestTtl } from '../../model/elicitation.ts';
import { mayVote, type User } from '../../model/user.ts';
import { Problem, type ProblemCode } from '../../model/problem.ts';
import { isEligible, usersOf } from '../../model/quorum.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { editForm } from './edit-form.ts';
import type { PolicyTerms } from './policy-terms.ts';

/** May this person do this now, and if not, why not. */
export interface Permission {
  allowed: boolean;
  reason: string | null;
}

/** One thing that may stand against it: whether it does, what a verb answers, and the sentence people read. */
type Refusal = [holds: boolean, code: ProblemCode, reason: string];

/** What a row does not say by itself. */
interface Circumstances {
  now: number;
  terms: PolicyTerms;
  /** Whom the directory of now knows as who asked. */
  requesters: ReadonlySet<string>;
  /** Who has let this person vote for them here. */
  absent: readonly string[];
  mayBreakGlass: boolean;
  breakGlass: { userId: string; review: unknown } | null;
}

type Given<K extends keyof Circumstances> = Pick<Circumstances, K>;

/** What stands against each thing a person may do with one request. The verbs refuse by it, and the page shows it. */
export const against = {
  vote: (user: User, row: ElicitationRow, { requesters }: Given<'requesters'>, absent?: string) => {
    const { context } = row.state;
    const ballot = { by: user.id, for: absent, issuer: user.issuer };
    const users = usersOf(ballot);
    const stage = currentStage(context);
    return [
      ...deciding(user, row),
      scheduled(row),
      [users.some((one) => stage?.excluded.includes(one) || requesters.has(one)), 'not-now', near],
      [users.some((one) => hasVoted(context, one)), 'already-voted', hasVoted(context, user.id) ? voted : votedFor],
      [!stage || !isEligible(stage, ballot), 'not-now', others],
    ];
  },
  cancel: (user, row, given: Given<'requesters' | 'absent'>) => tending(user, row, given),
  extend: (user, row, given: Given<'requesters' | 'absent'>) => [
    ...tending(user, row, given),
    [row.deadlineAt >= row.openedAt + longestTtl, 'not-now', 'A request lives 30 days at most.'],
  ],
  withdrawVote: (user, row) => [
    ...voting(user, row),
    [!lastVote(row.state.context, user.id), 'not-now', 'You have no vote here.'],
  ],
  edit: (user, row, given: Given<'requesters' | 'terms'>) => [
    ...acting(user, row, given),
    scheduled(row),
    [editForm(given.terms) === null, 'forbidden', 'The policy lets nobody edit this request.'],
  ],
  addApprover: (user, row, given: Given<'requesters'>) => [
    ...acting(user, row, given),
    scheduled(row),
    [!hasRoomForStage(row.state.context), 'not-now', 'It has as many stages as it can have.'],
  ],
  watch: (user, row, given: Given<'requesters' | 'now'>) => [
    ...acting(user, row, given),
    scheduled(row),
    [isHeldByOther(user, row, given), 'not-now', 'Somebody else is reviewing this.'],
  ],
  comment: (user, row) => [...voting(user, row), full(row)],
  inquire: (user, row, given: Given<'requesters'>) => [
    ...acting(user, row, given),
    scheduled(row),
    [row.state.context.inquiry !== null, 'not-now', 'A question to the requester is open.'],
    full(row),
  ],
  postpone: (user, row, given: Given<'requesters' | 'terms'>) => [
    ...acting(user, row, given),
    [!given.terms.notBefore && row.state.context.notBefore === null, 'forbidden', 'The policy sets no start.'],
  ],
  breakGlass: (user, row, { requesters, mayBreakGlass }: Given<'requesters' | 'mayBreakGlass'>) => [
    ...deciding(user, row),
    [!mayBreakGlass, 'forbidden', 'The emergency override needs a permission of its own.'],
    [
      usersOf({ by: user.id, issuer: user.issuer }).some((one) => isExcluded(row.state.context, one)),
      'forbidden',
      near,
    ],
    [asksItself(user, requesters), 'not-now', near],
  ],
  reviewBreakGlass: (user, _row, { requesters, breakGlass }: Given<'requesters' | 'breakGlass'>) => [
    [user.role === 'approver', 'forbidden', 'Administrators and reviewers do this.'],
    [!breakGlass, 'not-found', 'It was decided by its policy.'],
    [breakGlass?.userId === user.id, 'forbidden', 'Somebody else must look at this.'],
    [requesters.has(user.id), 'forbidden', 'Somebody else must look at what you asked for.'],
    [breakGlass?.review != null, 'not-now', 'This has been reviewed already.'],
  ],
} satisfies Record<string, Rule>;

type Rule = (user: User, row: ElicitationRow, given: Circumstances) => Refusal[];

/** Throws the problem of the first that stands against it. */
export function refuse(refusals: Refusal[]): void {
  const first = refusals.find(([holds]) => holds);
  if (first) throw new Problem(first[1], { detail: first[2] });
}

export function permission(refusals: Refusal[]): Permission {
  const first = refusals.find(([holds]) => holds);
  return { allowed: !first, reason: first?.[2] ?? null };
}

/** Everything a person may do on the page of one request. */
export function permissionsOf(user: User, row: ElicitationRow, given: Circumstances) {
  const found = Object.entries(against).map(([verb, rule]) => [verb, permission(rule(user, row, given))]);
  return Object.fromEntries(found) as Record<keyof typeof against, Permission>;
}

/** Is this person, or who made the way by which they are here, among those who asked? */
const asksItself = ({ id, issuer }: User, requesters: ReadonlySet<string>): boolean =>
  usersOf({ by: id, issuer }).some((user) => requesters.has(user));

const voted = 'You have already voted.';
const votedFor = 'Somebody your vote stands for has voted: whom you stand in for, or who set up your way to sign in.';
const others = 'This stage is for other approvers.';
const near = 'Whoever asked, or is kept out by the policy, does not decide it.';

const voting = (user: User, row: ElicitationRow): Refusal[] => [
  [row.status !== 'open', 'already-closed', 'This request has ended.'],
  [!mayVote(user.role), 'forbidden', 'Reviewers look; they do not decide.'],
];

const deciding = (user: User, row: ElicitationRow): Refusal[] => [
  ...voting(user, row),
  [row.audience !== 'approvers', 'forbidden', 'The person at the MCP client answers this request.'],
];

const acting = (user: User, row: ElicitationRow, { requesters }: Given<'requesters'>): Refusal[] => [
  ...deciding(user, row),
  [asksItself(user, requesters), 'not-now', near],
  [!mayAct(row.state.context, user.id), 'not-now', others],
];

/** Who may vote in the current stage, as or for somebody, and administrators; never who asked. */
const tending = (
  user: User,
  row: ElicitationRow,
  { requesters, absent }: Given<'requesters' | 'absent'>,
): Refusal[] => {
  const acts = [undefined, ...absent].some((one) => mayAct(row.state.context, user.id, one));
  return [
    ...voting(user, row),
    [asksItself(user, requesters), 'not-now', near],
    [!acts && user.role !== 'admin', 'not-now', others],
  ];
};

const scheduled = ({ state }: ElicitationRow): Refusal => [
  isScheduled(state),
  'not-now',
  'All have approved; it waits for its start.',
];

const full = ({ state }: ElicitationRow): Refusal => [
  !hasRoom(state.context),
  'not-now',
  'Nothing more can be said here.',
];

const isHeldByOther = ({ id }: User, { state }: ElicitationRow, { now }: Given<'now'>): boolean => {
  const { watch } = state.context;
  return watch !== null && watch.by !== id && watch.until > now;
};
