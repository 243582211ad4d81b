import { applyPolicies } from '../../src/engine/policies/apply-policies.ts';
import { changePerson, type PersonChanges } from '../../src/engine/people/change-person.ts';
import { addTeam, changeMembers } from '../../src/engine/people/change-team.ts';
import type { RunningServer } from '../../src/server.ts';
import type { Browser } from './console.ts';

type Node = Pick<RunningServer, 'engine'>;

/** Publishes these documents as the operator. */
export const publish = ({ engine }: Node, ...documents: string[]) => applyPolicies(engine, documents);

/** A group of these persons. */
export async function newGroup({ engine }: Node, name: string, members: Browser[]): Promise<void> {
  const id = await addTeam(engine, 'operator', { name });
  await changeMembers(engine, 'operator', id, { add: members.map(({ person }) => person.id) });
}

/** Changes this person as the operator. */
export const setPerson = ({ engine }: Node, { person }: Browser, changes: PersonChanges): Promise<void> =>
  changePerson(engine, 'operator', person.id, changes);
