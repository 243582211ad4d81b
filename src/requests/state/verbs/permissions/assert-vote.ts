import { isFresh, isUntimed } from '#access/sign-in/contract/authentication';
import type { ChatChannel } from '#notify/chat/contract';
import { longValues } from '../../../facts/contract/facts/long-values.ts';
import { Problem } from '#platform/model/problem';
import type { SignedInUser, User } from '#people/directory/contract/user';
import { mintShownToken, readShownToken } from '#access/tokens/rules';
import { lookedAt, pausedUntil } from '#policies/terms/pace';
import type { ApproverTurn, ElicitationRow } from '../../store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { openQuestion } from '../../../asking/verbs/question/sealed-question.ts';
import { policyTerms, readingTimeOf, type PolicyTerms } from './policy-terms.ts';

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

/** What an approval brings to say that it was shown. */
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
