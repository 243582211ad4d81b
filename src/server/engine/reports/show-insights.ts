import type { User } from '#protocol/model/user';
import { assertMay } from '../assert-may.ts';
import { invalidInput } from '#protocol/model/problem';
import { hastyWithin } from '../../store/log/approvals.ts';
import { burstSize, runLength, spreeSize, spreeWithin } from '../../store/log/insight-parts.ts';
import type { Insights } from '../../store/log/insights.ts';
import type { Engine } from '../engine.ts';

const day = 86_400_000;
/** The longest period, a leap year. Milliseconds. */
const longest = 366 * day;
/** A longer one is shown week by week. Milliseconds. */
const longestByDay = 100 * day;

export interface ShownInsights extends Insights {
  step: 'day' | 'week';
  /** From when something counts as hasty, as a run or as a burst. */
  limits: { hastyWithin: number; runLength: number; burstSize: number; spreeSize: number; spreeWithin: number };
  /** The name of each person in it, by id. */
  names: Record<string, string>;
}

/** Counts what was decided in a period of at most a year, for administrators and reviewers. An entry says who asked. */
export async function showInsights(
  { insights, access, rules, now }: Pick<Engine, 'insights' | 'access' | 'rules' | 'now'>,
  user: User,
  {
    to = now(),
    from = Math.max(0, Math.floor(to / day) * day - 30 * day),
  }: { from?: number | undefined; to?: number | undefined },
): Promise<ShownInsights> {
  assertMay(user, 'read-log');
  if (to <= from || to - from > longest) throw wrongPeriod;
  const about = ['insights', `from=${from}`, `to=${to}`];
  await access.recordAccess({ type: 'access.listed', what: 'report', by: { kind: 'user', id: user.id }, about });
  const step = to - from > longestByDay ? 'week' : 'day';
  const counted = await insights.count({ from, to, step, among: null });
  const { names } = await rules.users();
  const people = new Set([...counted.voters, ...counted.runs, ...counted.sprees].map(({ person }) => person));
  return {
    ...counted,
    step,
    limits: { hastyWithin, runLength, burstSize, spreeSize, spreeWithin },
    names: Object.fromEntries([...people].map((id) => [id, names.get(id) ?? id])),
  };
}

const wrongPeriod = invalidInput(['to'], 'Give an end that is after the beginning, and at most 366 days later.');
