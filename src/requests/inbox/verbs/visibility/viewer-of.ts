import { everyAccount } from '#people/accounts/contract';
import type { ServerId, UserId } from '#platform/model/id';
import { may } from '#people/directory/contract/permission';
import { usersOf } from '../../../voting/contract/quorum/quorum.ts';
import type { User } from '#people/directory/contract/user';
import type { InboxViewer } from '../../store/inbox/viewer.ts';
import { spacesOf } from '#policies/deciding/verbs/rules';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { Users } from '#policies/deciding/verbs/rules';
import { standInsOf } from '#people/delegations/verbs';
import { lookLasts } from './visible-of.ts';

/** What the store must know of this person as of now. */
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
