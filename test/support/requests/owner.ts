import { setOwner } from '../../../src/engine/users/change-group.ts';
import type { UserId } from '../../../src/model/id.ts';
import type { RunningServer } from '../../../src/server.ts';
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
