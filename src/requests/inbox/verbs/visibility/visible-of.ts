import type { ElicitationId } from '#platform/model/id';
import { may } from '#people/directory/contract/permission';
import { mayIn } from '#policies/deciding/verbs/rules';
import { Problem } from '#platform/model/problem';
import type { User } from '#people/directory/contract/user';
import { userOfRequester } from '#policies/document/rules/directory';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { readable } from '../../../state/verbs/change/readable.ts';
import { openQuestion } from '../../../asking/verbs/question/sealed-question.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { Users } from '#policies/deciding/verbs/rules';
import type { StandIn } from '../../store/inbox/viewer.ts';
import { standInsOf } from '#people/delegations/verbs';
import { covers } from '#people/delegations/verbs';
import { maySee, type Field, type Visibility } from './may-see.ts';

/** Milliseconds for which one reason lets a person read a request. */
export const lookLasts = 3_600_000;

const nothingRead: Visibility = {
  isRequester: false,
  owns: false,
  tookPart: false,
  looked: false,
  mayBreakGlass: false,
  watchesInSpace: false,
  absent: [],
};

/** What decides now what this person may see of each of these rows. */
async function visibilityOf(
  engine: Engine,
  user: User,
  rows: ElicitationRow[],
): Promise<Map<ElicitationId, Visibility>> {
  const now = engine.now();
  const users = await engine.rules.users();
  const standIns = standInsOf(users, user, now);
  const ids = rows.filter((row) => mayConcern(users, standIns, user, row)).map(({ id }) => id);
  const stored = ids.length === 0 ? new Map() : await engine.visibility.read(user.id, ids, now - lookLasts);
  const visibilityIn = (row: ElicitationRow): Visibility => ({
    ...nothingRead,
    ...stored.get(row.id),
    watchesInSpace: watchesInSpace(users, user, row),
    isRequester: hasAsked(engine, users, user, row),
    absent: standIns.filter((standIn) => covers(standIn, row.policy)).map(({ fromId }) => fromId),
  });
  return new Map(rows.map((row) => [row.id, visibilityIn(row)]));
}

/** Can what is stored about this person and the request add to what memory says? Of most changes it cannot. */
const mayConcern = (users: Users, standIns: StandIn[], user: User, row: ElicitationRow): boolean => {
  const { id } = user;
  const { readers, serverId } = row;
  return (
    may(user, 'watch-requests') ||
    watchesInSpace(users, user, row) ||
    users.overriders.has(id) ||
    users.owners.get(serverId) === id ||
    ['anyone', id, ...standIns.map(({ fromId }) => fromId)].some((name) => readers.includes(name))
  );
};

/** By one look at the space, because each change of a request asks it of everyone who is listening. */
const watchesInSpace = (users: Users, user: User, { serverId }: ElicitationRow): boolean => {
  const space = users.spaceOf.get(serverId);
  return space !== undefined && mayIn(users, user, 'watch-requests', space);
};

/** The rows of which this person may see the field; reads only what the rows do not answer themselves. */
export async function visibleOf(
  engine: Engine,
  user: User,
  rows: ElicitationRow[],
  field: Field,
): Promise<Set<ElicitationId>> {
  const isPlain = (row: ElicitationRow): boolean => maySee(user, row, field, nothingRead);
  const unclear = rows.filter((row) => !isPlain(row));
  const visibilities =
    unclear.length === 0 ? new Map<ElicitationId, Visibility>() : await visibilityOf(engine, user, unclear);
  const isSeen = (row: ElicitationRow): boolean => maySee(user, row, field, visibilities.get(row.id) ?? nothingRead);
  return new Set(rows.filter((row) => isPlain(row) || isSeen(row)).map(({ id }) => id));
}

/**
 * Throws problem `not-found`, as for an absent id, if the person may not see this; `reason-needed` if they may after
 * giving a reason; `sealed-unreadable` or `content-erased` if a reason would not help.
 */
export async function assertVisible(
  engine: Engine,
  user: User,
  row: ElicitationRow | null,
  field: Exclude<Field, 'answer'> = 'content',
): Promise<void> {
  if (!row) throw new Problem('not-found');
  if ((await visibleOf(engine, user, [row], field)).has(row.id)) return;
  if (!(await visibleOf(engine, user, [row], 'notice')).has(row.id)) throw new Problem('not-found');
  openQuestion(engine.ring, row); // throws if a reason would not help
  throw new Problem('reason-needed');
}

/** An unverified subject does not prove who asked; if a row cannot be opened, its requester is unknown. */
function hasAsked({ ring }: Engine, { directory }: Users, { id }: User, row: ElicitationRow): boolean {
  const requester = readable(() => openQuestion(ring, row))?.requester;
  return requester?.verified === true && userOfRequester(directory, requester)?.id === id;
}
