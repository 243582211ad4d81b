import {
  currentStage,
  hasRoom,
  hasVoted,
  isExcluded,
  lastVote,
  mayAct,
} from '../../../machine/rules/machine/ballots.ts';
import { hasRoomForStage } from '../../../machine/rules/machine/stages.ts';
import { isScheduled } from '../../../machine/rules/step/step.ts';
import { maxTtlMs } from '../../../asking/contract/elicitation.ts';
import { everyAccount, type Accounts } from '#people/accounts/contract';
import { may, refusalWithout } from '#people/directory/contract/permission';
import type { User } from '#people/directory/contract/user';
import { Problem, type ProblemCode } from '#platform/model/problem';
import { ownServer } from '#platform/model/names';
import { isEligible, usersOf, votersIn } from '../../../voting/contract/quorum/quorum.ts';
import type { RefusalCode } from '../../../inbox/contract/refusal.ts';
import type { ElicitationRow } from '../../store/row/row.ts';
import type { ToolCallRow } from '../../../claims/store/call-row.ts';
import { editForm, type PolicyTerms } from './policy-terms.ts';

/** May this person do this now, and if not, why not. */
export interface Permission {
  allowed: boolean;
  refusal: RefusalCode | null;
}

/** One possible objection: whether it holds, the problem a verb answers with, and the reason people read. */
export type Objection = [holds: boolean, code: ProblemCode, reason: RefusalCode];

/** Facts that are not in the row. */
interface Circumstances {
  now: number;
  terms: PolicyTerms;
  /** People who are the requester by the current directory. */
  requesters: ReadonlySet<string>;
  /** Of everyone with several, in the current directory. */
  accounts: Accounts | undefined;
  /** People who have delegated their vote here to this person. */
  absent: readonly string[];
  mayBreakGlass: boolean;
  breakGlass: { userId: string; review: unknown } | null;
  lookBack: { review: unknown } | null;
  /** The tool call that asked. */
  call: Pick<ToolCallRow, 'state' | 'lapse'>;
}

type Given<K extends keyof Circumstances> = Pick<Circumstances, K>;

/** The objections to each action on one request. The verbs refuse by them, and the page shows them. */
export const against = {
  vote: (user: User, row: ElicitationRow, { requesters }: Given<'requesters'>, absent?: string) => {
    const { context } = row.state;
    const ballot = { by: user.id, for: absent, issuer: user.credentialIssuer };
    const users = usersOf(ballot);
    const stage = currentStage(context);
    return [
      ...deciding(user, row),
      scheduled(row),
      [users.some((id) => requesters.has(id)), 'not-now', requesters.has(user.id) ? 'is-requester' : 'for-requester'],
      [users.some((id) => stage?.excluded.includes(id)), 'not-now', 'is-excluded'],
      [
        users.some((id) => hasVoted(context, id)),
        'already-voted',
        hasVoted(context, user.id) ? 'has-voted' : 'for-voter',
      ],
      [!stage || !isEligible(stage, ballot), 'not-now', 'other-stage'],
    ];
  },
  cancel: (user, row, circumstances: Given<'requesters' | 'absent'>) =>
    isOwn(row) && circumstances.requesters.has(user.id) ? [ended(row)] : tending(user, row, circumstances),
  extend: (user, row, circumstances: Given<'requesters' | 'absent'>) => [
    ...tending(user, row, circumstances),
    [row.deadlineAt >= row.openedAt + maxTtlMs, 'not-now', 'longest-deadline'],
  ],
  withdrawVote: (user, row) => [
    ...voting(user, row),
    [!lastVote(row.state.context, user.id), 'not-now', 'no-vote-here'],
  ],
  revoke: (user, row, { call }: Given<'call'>) => [
    withoutVote(user),
    [row.status !== 'accepted' || row.audience !== 'approvers', 'not-now', 'revoke-approved'],
    [!may(user, 'tend-requests') && !hasApproved(user, row), 'forbidden', 'revoke-own'],
    [call.lapse !== null, 'not-now', 'already-lapsed'],
    [call.state !== 'open', 'already-executed', 'has-begun'],
  ],
  edit: (user, row, circumstances: Given<'requesters' | 'terms'>) => [
    ...acting(user, row, circumstances),
    scheduled(row),
    [editForm(circumstances.terms) === null, 'forbidden', 'edits-not-allowed'],
  ],
  addApprover: (user, row, circumstances: Given<'requesters'>) => [
    ...acting(user, row, circumstances),
    scheduled(row),
    [!hasRoomForStage(row.state.context), 'not-now', 'too-many-stages'],
  ],
  watch: (user, row, circumstances: Given<'requesters' | 'now'>) => [
    ...acting(user, row, circumstances),
    scheduled(row),
    [isWatchedByOther(user, row, circumstances), 'not-now', 'watched-by-other'],
  ],
  comment: (user, row) => [...voting(user, row), full(row)],
  inquire: (user, row, circumstances: Given<'requesters'>) => [
    ...acting(user, row, circumstances),
    scheduled(row),
    [row.state.context.inquiry !== null, 'not-now', 'inquiry-open'],
    full(row),
  ],
  postpone: (user, row, circumstances: Given<'requesters' | 'terms'>) => [
    ...acting(user, row, circumstances),
    [!circumstances.terms.notBefore && row.state.context.notBefore === null, 'forbidden', 'no-start'],
  ],
  breakGlass: (user, row, { requesters, mayBreakGlass }: Given<'requesters' | 'mayBreakGlass'>) => [
    ...deciding(user, row),
    [isOwn(row), 'forbidden', 'second-administrator'],
    [!mayBreakGlass, 'forbidden', 'needs-break-glass'],
    [
      personsOf(user).some((id) => isExcluded(row.state.context, id)),
      'forbidden',
      requesters.has(user.id) ? 'is-requester' : 'is-excluded',
    ],
    requesting(user, requesters),
  ],
  reviewBreakGlass: (
    user,
    row,
    { requesters, accounts, breakGlass }: Given<'requesters' | 'accounts' | 'breakGlass'>,
  ) => [
    [!may(user, 'watch-requests'), 'forbidden', 'reviewers-judge'],
    [!breakGlass, 'not-found', 'decided-by-policy'],
    [
      everyAccount(accounts, personsOf(user)).some((id) =>
        [breakGlass?.userId, row.state.context.breakGlassIssuer].includes(id),
      ),
      'forbidden',
      'own-override',
    ],
    [personsOf(user).some((id) => requesters.has(id)), 'forbidden', 'own-request'],
    [breakGlass?.review != null, 'not-now', 'already-reviewed'],
  ],
  reviewLookBack: (user, _row, { requesters, lookBack }: Given<'requesters' | 'lookBack'>) => [
    [!may(user, 'watch-requests'), 'forbidden', 'reviewers-judge'],
    [!lookBack, 'not-found', 'not-sampled'],
    [personsOf(user).some((id) => requesters.has(id)), 'forbidden', 'own-request'],
    [lookBack?.review != null, 'not-now', 'already-reviewed'],
  ],
} satisfies Record<string, Rule>;

type Rule = (user: User, row: ElicitationRow, circumstances: Circumstances) => Objection[];

/** Throws the problem of the first objection that holds. */
export function assertNoObjection(objections: Objection[]): void {
  const [, code, reason] = objections.find(([holds]) => holds) ?? [];
  if (code && reason) throw new Problem(code, { refusal: { code: reason } });
}

export function permission(objections: Objection[]): Permission {
  const [, , refusal = null] = objections.find(([holds]) => holds) ?? [];
  return { allowed: refusal === null, refusal };
}

/** Everything a person may do on the page of one request. */
export function permissionsOf(user: User, row: ElicitationRow, circumstances: Circumstances) {
  const permissions = Object.entries(against).map(([verb, rule]) => [verb, permission(rule(user, row, circumstances))]);
  return Object.fromEntries(permissions) as Record<keyof typeof against, Permission>;
}

/** Everyone for whom it counts what this person does: also the issuer of the credential they signed in with. */
const personsOf = ({ id, credentialIssuer }: User): string[] => usersOf({ by: id, issuer: credentialIssuer });

/** Is this person, or the issuer of the credential they signed in with, among the requesters? */
const requesting = (user: User, requesters: ReadonlySet<string>): Objection => [
  personsOf(user).some((id) => requesters.has(id)),
  'not-now',
  requesters.has(user.id) ? 'is-requester' : 'for-requester',
];

/** Is it about a change of power? */
const isOwn = ({ serverId }: ElicitationRow): boolean => serverId === ownServer.id;

const ended = (row: ElicitationRow): Objection => [row.status !== 'open', 'already-closed', 'has-ended'];

const voting = (user: User, row: ElicitationRow): Objection[] => [withoutVote(user), ended(row)];

const withoutVote = (user: User): Objection => [!may(user, 'decide'), 'forbidden', refusalWithout('decide')];

const deciding = (user: User, row: ElicitationRow): Objection[] => [
  ...voting(user, row),
  [row.audience !== 'approvers', 'forbidden', 'requester-answers'],
];

const acting = (user: User, row: ElicitationRow, { requesters }: Given<'requesters'>): Objection[] => [
  ...deciding(user, row),
  requesting(user, requesters),
  [!mayAct(row.state.context, user.id), 'not-now', 'other-stage'],
];

/**
 * The people who may vote in the current stage, for themselves or for someone else, and administrators; never the
 * requester.
 */
const tending = (
  user: User,
  row: ElicitationRow,
  { requesters, absent }: Given<'requesters' | 'absent'>,
): Objection[] => {
  const acts = [undefined, ...absent].some((id) => mayAct(row.state.context, user.id, id));
  return [
    ...voting(user, row),
    requesting(user, requesters),
    [!acts && !may(user, 'tend-requests'), 'not-now', 'other-stage'],
  ];
};

const scheduled = ({ state }: ElicitationRow): Objection => [isScheduled(state), 'not-now', 'waits-for-start'];

const full = ({ state }: ElicitationRow): Objection => [!hasRoom(state.context), 'not-now', 'discussion-full'];

const hasApproved = (user: User, { state }: ElicitationRow): boolean => {
  const { votes, breakGlassBy } = state.context;
  const isIn = votes.some((vote) => vote.action === 'accept' && votersIn(vote).includes(user.id));
  return may(user, 'decide') && (isIn || breakGlassBy === user.id);
};

const isWatchedByOther = ({ id }: User, { state }: ElicitationRow, { now }: Given<'now'>): boolean => {
  const { watch } = state.context;
  return watch !== null && watch.by !== id && watch.until > now;
};
