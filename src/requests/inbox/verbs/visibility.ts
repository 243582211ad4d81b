import { everyAccount } from '#people/accounts/contract';
import type { ServerId, UserId, ElicitationId } from '#platform/model/id';
import { may } from '#people/directory/contract/permission';
import { usersOf } from '../../voting/contract/stages.ts';
import type { User } from '#people/directory/contract/user';
import type { InboxViewer, StandIn } from '../store/inbox.ts';
import { type Users } from '#policies/deciding/verbs/rules';
import { spacesOf, mayIn } from '#people/directory/verbs/may';
import type { Engine } from '#platform/nodes/verbs/engine';
import { standInsOf, covers } from '#people/delegations/verbs';
import { auditEntry } from '#audit/entries/rules/entry';
import { requestFacts } from '#audit/entries/rules/events';
import { sha256Hex } from '#platform/crypto/digest';
import { newId } from '#platform/crypto/random';
import { userOfRequester } from '#policies/document/rules/directory';
import { Problem } from '#platform/model/problem';
import type { PassedCallRow } from '#keeping/content/store';
import { readable } from '../../state/verbs/change.ts';
import { openPassed, sealPassedReason } from '../../asking/verbs/passed-calls.ts';
import type { ElicitationRow } from '../../state/store/row.ts';
import { openQuestion } from '../../asking/verbs/question.ts';

/** This person's current rights, as the store needs them. */
export async function viewerOf(engine: Engine, user: User): Promise<InboxViewer> {
  const { id, credentialIssuer } = user;
  const users = await engine.rules.users();
  const accounts = everyAccount(users.directory.accounts, usersOf({ by: id, issuer: credentialIssuer }));
  return {
    id,
    credentialIssuer,
    otherAccounts: accounts.filter((account) => account !== id && account !== credentialIssuer) as UserId[],
    isWatching: may(user, 'watch-requests'),
    mayVote: may(user, 'decide'),
    lookedSince: engine.now() - lookLasts,
    standIns: standInsOf(users, user, engine.now()),
    owns: [...users.owners].flatMap(([server, owner]) => (owner === id ? [server] : [])),
    watches: watchedServers(users, id),
    mayBreakGlass: users.overriders.has(id),
  };
}

/** The servers of the spaces in which this person watches over requests. */
function watchedServers(users: Users, id: UserId): ServerId[] {
  const spaces = spacesOf(users, id, 'watch-requests');
  return [...users.spaceOf].flatMap(([server, space]) => (spaces.has(space) ? [server] : []));
}

/**
 * The arguments of a call that ran by a pass, for those who may read the content of a request that had no approvers: its
 * requester, the owner of the server, and, if they give a reason, those who watch over requests of that server. Each reading
 * is an entry. Problems: `not-found`, also for everyone else; `reason-needed`; `content-erased`; `sealed-unreadable`.
 */
export async function readPassedCall(engine: Engine, user: User, id: string, reason: string | null) {
  const row = await engine.passedCalls.find(id);
  const right = row && (await rightOf(engine, user, row));
  if (!row || !right) throw new Problem('not-found');
  const content = openPassed(engine.ring, row);
  if (right === 'watches' && reason === null) throw new Problem('reason-needed');
  const at = engine.now();
  const sealed = reason === null ? null : sealPassedReason(engine.ring, row, user.id, reason);
  const event = {
    type: 'call.read',
    call: id,
    ...(sealed && { said: sha256Hex(sealed) }),
    ...requestFacts(row),
  } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  await engine.passedCalls.addLook(sealed && { callId: id, userId: user.id, reason: sealed, at }, entry);
  const { serverName: server, tool, policy } = row;
  const { arguments: args, length } = content;
  return { id, server, tool, policy, at: row.at, arguments: args, length };
}

/** An unverified subject does not prove who called. */
async function rightOf(engine: Engine, user: User, row: PassedCallRow): Promise<'own' | 'watches' | null> {
  const users = await engine.rules.users();
  const requester = readable(() => openPassed(engine.ring, row))?.requester;
  const isRequester = requester?.verified === true && userOfRequester(users.directory, requester)?.id === user.id;
  if (isRequester || users.owners.get(row.serverId) === user.id) return 'own';
  const space = users.spaceOf.get(row.serverId);
  const watches = may(user, 'watch-requests') || (space !== undefined && mayIn(users, user, 'watch-requests', space));
  return watches ? 'watches' : null;
}

/** Milliseconds for which one reason lets a person read a request. */
const lookLasts = 3_600_000;

const nothingRead: Visibility = {
  isRequester: false,
  owns: false,
  tookPart: false,
  looked: false,
  mayBreakGlass: false,
  watchesInSpace: false,
  absent: [],
};

/** Facts that decide now what this person may see of each of these rows. */
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

/** Looks at the space only, because each change of a request asks it of everyone who is listening. */
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

/** The parts of a request: that it exists; what it asks and what people said; the answer to its form. */
export type Field = 'notice' | 'content' | 'answer';

/** Facts about this person that are not in the row. */
export interface Visibility {
  /** Is the requester, by a verified subject. */
  isRequester: boolean;
  /** Owns the server that asked. */
  owns: boolean;
  /** Has a vote on it, even one that no longer counts, or has edited it. */
  tookPart: boolean;
  /** Has given a reason to read it within the last hour. */
  looked: boolean;
  mayBreakGlass: boolean;
  /** Watches over requests in the space of the server that asked. */
  watchesInSpace: boolean;
  /** People who have let this person vote for them here. */
  absent: readonly string[];
}

type Watched = Pick<ElicitationRow, 'audience' | 'state'>;

/**
 * May this person see this part of a request? Its content is for the approvers of its stages and their delegates, for
 * those who voted or edited it, for the requester, and for the owner of the server; for administrators and reviewers if they have
 * given a reason, those of a space for the requests of its servers. An answer from the client is only for the person who gave it.
 */
export function maySee(user: User, row: Watched, field: Field, visibility: Visibility): boolean {
  if (field === 'answer' && row.audience === 'requester') return visibility.isRequester;
  if (visibility.isRequester || visibility.owns || visibility.tookPart || row.state.context.breakGlassBy === user.id)
    return true;
  if (may(user, 'decide') && isInStage(row, [user.id, ...visibility.absent])) return true;
  return watchesOver(user, visibility) && (field === 'notice' || visibility.looked);
}

/** People who must be able to find any request: to take care of it, to review it, or to use the emergency override. */
const watchesOver = (user: User, { mayBreakGlass, watchesInSpace }: Visibility): boolean =>
  may(user, 'watch-requests') || mayBreakGlass || watchesInSpace;

const isInStage = ({ state }: Watched, users: string[]): boolean =>
  state.context.stages.some(({ groups }) =>
    groups.some(({ approvers }) => approvers === 'anyone' || users.some((user) => approvers.includes(user))),
  );
