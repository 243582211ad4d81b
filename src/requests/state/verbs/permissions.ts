import { lintFormSchema } from '#platform/form/lint';
import type { FormSchema } from '#platform/form/schema';
import { type FreezeWindow, plainTerms, type Terms } from '#policies/document/rules/document';
import type { Presence, PresenceTerm } from '#people/directory/contract/presence';
import type { ElicitationRow, ApproverTurn } from '../store/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { openQuestion, openVerdict, type Question } from '../../asking/verbs/question.ts';
import {
  currentStage,
  hasRoom,
  hasVoted,
  isExcluded,
  lastVote,
  mayAct,
  hasRoomForStage,
} from '../../machine/rules/machine.ts';
import { isScheduled } from '../../machine/rules/step.ts';
import { maxTtlMs } from '../../asking/contract/elicitation.ts';
import { everyAccount, type Accounts } from '#people/accounts/contract';
import { may, refusalWithout } from '#people/directory/contract/permission';
import type { User, SignedInUser } from '#people/directory/contract/user';
import { Problem, type ProblemCode } from '#platform/model/problem';
import { ownServer } from '#platform/model/names';
import { isEligible, usersOf, votersIn } from '../../voting/contract/stages.ts';
import type { RefusalCode } from '../../inbox/contract/refusal.ts';
import type { ToolCallRow } from '../../claims/store.ts';
import { isFresh, isUntimed } from '#access/sign-in/contract/authentication';
import type { ChatChannel } from '#notify/chat/contract';
import { longValues } from '../../facts/contract/orders.ts';
import { mintShownToken, readShownToken } from '#access/tokens/rules';
import { lookedAt, pausedUntil } from '#policies/terms/pace';

/** The pinned policy's terms of an elicitation, apart from who votes, as of its opening. */
export interface PolicyTerms extends Terms {
  /** The freeze windows, and the names of those that have a stage. */
  freeze: FreezeWindow[];
  frozen: string[];
}

const builtIn: PolicyTerms = { ...plainTerms, freeze: [], frozen: [] };

/** The terms sealed with the request, or the built-in policy's. No edits if the tool does not accept them. */
export function policyTerms({ ring }: Pick<Engine, 'ring'>, row: ElicitationRow): PolicyTerms {
  const verdict = openVerdict(ring, row) as Partial<PolicyTerms> | null;
  const question = openQuestion(ring, row);
  const cached = termsOf.get(question);
  if (cached?.verdict === verdict) return cached.terms;
  // An edit that does not reach the tool must not be offered.
  const withoutEdits = !question.takesEdits && { editable: null };
  const terms = Object.freeze({ ...builtIn, ...verdict, presence: presenceOf(verdict?.presence), ...withoutEdits });
  termsOf.set(question, { verdict, terms });
  return terms;
}

/** Requests of before a policy could be silent have the word alone. */
const presenceOf = (stored: PresenceTerm | Presence | undefined): PresenceTerm => {
  if (stored === undefined) return builtIn.presence;
  return typeof stored === 'object' && 'needed' in stored ? stored : { needed: stored, hasDefault: false };
};

/** A vote asks for them several times. They live as long as the row that was read. */
const termsOf = new WeakMap<Question, { verdict: Partial<PolicyTerms> | null; terms: PolicyTerms }>();

/** Milliseconds that must lie between showing this request to a person and their approval. */
const readingTimeOf = (
  { defaults }: Pick<Engine, 'defaults'>,
  { risk }: Pick<ElicitationRow, 'risk'>,
  { readingTime }: Pick<PolicyTerms, 'readingTime'>,
): number => readingTime ?? (risk === 'high' ? defaults.readingTime : 0);

/** The form in which approvers may change arguments; null if the policy allows no change, or its form is invalid. */
export function editForm({ editable }: Pick<PolicyTerms, 'editable'>): FormSchema | null {
  const lint = editable ? lintFormSchema({ type: 'object', properties: editable }) : null;
  return lint?.ok ? lint.schema : null;
}

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
  /** Accounts of everyone with several, in the current directory. */
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

/** Refuses a vote on another digest than the person saw. A closed request is reported first. */
export function assertSeen({ status, digest }: ElicitationRow, seenDigest: string): void {
  if (status !== 'open') throw new Problem('already-closed');
  if (seenDigest !== digest) throw new Problem('digest-mismatch');
}

/** For the page of an open request that takes time to read: the proof to bring back with the approval; else null. */
export function mintReading(engine: Engine, user: User, row: ElicitationRow): { token: string; time: number } | null {
  const time = readingTimeOf(engine, row, policyTerms(engine, row));
  if (row.status !== 'open' || time === 0) return null;
  return { time, token: mintShownToken(engine.ring, shownTo(user, row), engine.now()) };
}

/** Evidence of an approval that its request was shown. */
interface Showing {
  /** The proof of when, from the page. */
  shown?: string | undefined;
  /** JSON Pointers of the long values that the person opened. */
  opened?: string[] | undefined;
  /** In chat, everything stands in the message that has the buttons. */
  chat?: ChatChannel | null;
}

/**
 * Refuses an approval before the person had the time to read what they were shown, and says how much of it is left;
 * and one that does not bring every long value as opened.
 */
export function assertRead(
  engine: Engine,
  user: User,
  row: ElicitationRow,
  { shown: token, opened = [], chat }: Showing,
  now: number,
): void {
  if (!chat) assertOpened(engine, row, opened);
  const time = readingTimeOf(engine, row, policyTerms(engine, row));
  if (time === 0) return;
  const at = token === undefined ? null : readShownToken(engine.ring, token, shownTo(user, row));
  if (at === null) throw new Problem('not-now', { refusal: { code: 'open-first' } });
  const seconds = Math.ceil((at + time - now) / 1000);
  if (seconds <= 0) return;
  throw new Problem('not-now', {
    refusal: { code: 'read-first', values: { seconds: `${seconds}` } },
    retryAfter: seconds,
  });
}

function assertOpened({ ring }: Pick<Engine, 'ring'>, row: ElicitationRow, opened: readonly string[]): void {
  const whole = opened.includes('');
  const args = JSON.parse(openQuestion(ring, row).arguments) as Record<string, unknown>;
  const missing = longValues(args).filter((pointer) => !whole && !opened.includes(pointer));
  if (missing.length === 0) return;
  throw new Problem('not-now', { refusal: { code: 'open-long', values: { values: missing.slice(0, 5).join(', ') } } });
}

const shownTo = ({ id: user }: User, { id: elicitation, digest }: ElicitationRow) => ({ user, elicitation, digest });

/** Refuses if the person has not proven a factor of their own within so many milliseconds; null means no limit. */
export function assertFreshSignIn(user: Partial<SignedInUser>, within: number | null, now: number): void {
  if (within === null || isFresh(user.authentication, within, now)) return;
  // A provider that does not say when cannot be asked again: what the person proves here counts.
  const { authentication } = user;
  const isHere = authentication !== undefined && isUntimed(authentication) && authentication.multiFactor !== undefined;
  throw new Problem(isHere ? 'second-factor-needed' : 'fresh-sign-in-needed');
}

/** When this person can approve again under these terms, and how many paced approvals they had given by then. */
export async function pauseOf(
  engine: Pick<Engine, 'approvals'>,
  { id }: Pick<User, 'id'>,
  { pace }: Pick<PolicyTerms, 'pace'>,
  now: number,
): Promise<{ until: number | null; turn: ApproverTurn | null }> {
  if (pace.length === 0) return { until: null, turn: null };
  const { approvals, turn } = await engine.approvals.latest(id, lookedAt(pace));
  return { until: pausedUntil(approvals, pace, now), turn: { user: id, after: turn } };
}

/**
 * Refuses an approval by a person who approves too fast, and says when they can go on. Otherwise the turn to take with
 * it: of two at once, one is the next, and the other looks again.
 */
export async function takeTurn(
  engine: Pick<Engine, 'approvals'>,
  user: Pick<User, 'id'>,
  terms: Pick<PolicyTerms, 'pace'>,
  now: number,
): Promise<ApproverTurn | null> {
  const { until, turn } = await pauseOf(engine, user, terms, now);
  if (until === null) return turn;
  const seconds = Math.ceil((until - now) / 1000);
  throw new Problem('not-now', {
    refusal: { code: 'pause-first', values: { seconds: `${seconds}` } },
    retryAfter: seconds,
  });
}
