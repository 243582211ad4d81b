import { applyPolicies } from '#policies/verbs/apply';
import { changeUser, type UserChanges } from '#people/users/verbs';
import { addGroup, changeMembers } from '#people/groups/verbs';
import type { RunningServer } from '#server/server';
import type { Browser } from '../nodes/console.ts';

type Node = Pick<RunningServer, 'engine'>;

/** Publishes these documents as the operator. */
export const publish = ({ engine }: Node, ...documents: string[]) => applyPolicies(engine, documents);

/** A group of these persons. */
export async function newGroup({ engine }: Node, name: string, members: Browser[]): Promise<void> {
  const id = await addGroup(engine, 'operator', { name });
  await changeMembers(engine, 'operator', id, { add: members.map(({ user }) => user.id) });
}

/** Changes this person as the operator. */
export async function setUser({ engine }: Node, { user }: Browser, changes: UserChanges): Promise<void> {
  await changeUser(engine, 'operator', user.id, changes);
}
