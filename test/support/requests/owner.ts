import { setOwner } from '#people/groups/verbs';
import type { UserId } from '#platform/model/id';
import type { RunningServer } from '#server/server';
import type { TestServer, TestUser } from '../nodes/server.ts';

/** Lets this person own every server that has a key so far; they may read all that these ask. */
export async function giveServers({ engine }: Pick<RunningServer, 'engine'>, owner: { id: string }): Promise<void> {
  const { servers } = await engine.directory.read();
  for (const { id } of servers) await setOwner(engine, 'operator', id, owner.id as UserId);
}

export async function newOwner(server: TestServer): Promise<TestUser> {
  const owner = await server.newUser();
  await giveServers(server, owner);
  return owner;
}
