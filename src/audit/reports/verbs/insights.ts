import type { SpaceId } from '#platform/model/id';
import { may } from '#people/directory/contract/permission';
import type { User } from '#people/directory/contract/user';
import { spacesOf, withoutPermission, serversOf } from '#people/directory/verbs/may';
import { invalidInput, Problem } from '#platform/model/problem';
import { hastyWithin } from '../../entries/store/entries.ts';
import { burstSize, runLength, spreeSize, spreeWithin, type Among, type Insights } from '../store/insights.ts';
import type { DirectoryRecord } from '#people/directory/store/directory-record';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { InsightsQuery } from '../contract/insights.ts';

const day = 86_400_000;
/** The longest period, a leap year. Milliseconds. */
const maxPeriodMs = 366 * day;
/** A longer one is shown week by week. Milliseconds. */
const maxPeriodByDayMs = 100 * day;

interface ShownInsights extends Insights {
  step: 'day' | 'week';
  /** From when something counts as hasty, as a run or as a burst. */
  limits: { hastyWithin: number; runLength: number; burstSize: number; spreeSize: number; spreeWithin: number };
  /** The name of each person in it, by id. */
  names: Record<string, string>;
}

/**
 * Counts what was decided in a period of at most a year, at the servers that this person reads about. An entry says who asked.
 * Problem `forbidden` if they read about none, also because the space is absent or not theirs; `not-found` for an absent space to
 * someone who reads about all.
 */
export async function showInsights(
  { insights, access, rules, directory, now }: Pick<Engine, 'insights' | 'access' | 'rules' | 'directory' | 'now'>,
  user: User,
  { to = now(), from = Math.max(0, Math.floor(to / day) * day - 30 * day), space }: InsightsQuery,
): Promise<ShownInsights> {
  const among = serversRead(await directory.read(), user, space);
  if (to <= from || to - from > maxPeriodMs) throw wrongPeriod;
  const about = ['insights', `from=${from}`, `to=${to}`, ...(space ? [`space=${space}`] : [])];
  await access.recordAccess({ type: 'access.listed', what: 'report', by: { kind: 'user', id: user.id }, about });
  const step = to - from > maxPeriodByDayMs ? 'week' : 'day';
  const counted = await insights.count({ from, to, step, among });
  const { names } = await rules.users();
  const people = new Set([...counted.voters, ...counted.runs, ...counted.sprees].map(({ person }) => person));
  return {
    ...counted,
    step,
    limits: { hastyWithin, runLength, burstSize, spreeSize, spreeWithin },
    names: Object.fromEntries([...people].map((id) => [id, names.get(id) ?? id])),
  };
}

/** Reports that the console offers someone: of all servers, or of some. */
export async function readsOf(
  { rules }: Pick<Engine, 'rules'>,
  user: User,
): Promise<{ log: boolean; insights: boolean }> {
  const users = await rules.users();
  const log = may(user, 'read-log') || spacesOf(users, user.id, 'read-log').size > 0;
  return { log, insights: log || [...users.owners.values()].includes(user.id) };
}

/** All servers for those who read the log; else those of the spaces in which they do, and those that they own. */
function serversRead({ servers, spaces }: DirectoryRecord, user: User, space: SpaceId | undefined): Among {
  const isAll = may(user, 'read-log');
  if (isAll && space === undefined) return null;
  if (isAll && !spaces.some(({ id }) => id === space)) throw new Problem('not-found');
  const own = spacesOf({ spaces }, user.id, 'read-log');
  const among = servers.filter(
    ({ spaceId, ownerId }) =>
      (space === undefined || spaceId === space) &&
      (isAll || ownerId === user.id || (spaceId !== null && own.has(spaceId))),
  );
  const isInSpace = space === undefined ? own.size > 0 : own.has(space);
  if (!isAll && !isInSpace && among.length === 0) throw withoutPermission('read-log');
  return among.map(({ id }) => id);
}

const wrongPeriod = invalidInput(['to'], 'Give an end that is after the beginning, and at most 366 days later.');

/** The names that questions and searches can be narrowed by, for administrators and reviewers; those of a space get its own. */
export async function listAuditNames(
  { inbox, askedNames, directory }: Pick<Engine, 'inbox' | 'askedNames' | 'directory'>,
  user: User,
) {
  const record = await directory.read();
  const servers = serversOf(record, user, 'read-log');
  if (servers === null) {
    const [facets, clients] = await Promise.all([inbox.facets(), askedNames.clients()]);
    return { ...facets, clients };
  }
  const facets = await inbox.facets({ servers, spaces: [...spacesOf(record, user.id, 'read-log')] });
  return { ...facets, clients: [] };
}
