import { principalHashes } from '#platform/crypto/key-ring';
import { Problem } from '#platform/model/problem';
import { ownServer } from '#platform/model/names';
import type { ServerCaller } from '#people/directory/contract/user';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { Judgement } from '#policies/deciding/verbs/judge';
import type { OpenRequest } from '#policies/deciding/verbs/open';

/** Seconds after which a retry may succeed. */
const retryAfter = 30;

/**
 * Refuses requests that would flood people, with problem `rate-limited`. Counts are kept for a second, so requests at
 * the same moment, or at other nodes, may pass a limit together.
 */
export async function assertNoFlood(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  { verdict, stages }: Judgement,
): Promise<void> {
  // No flood of other requests may keep administrators from their own.
  if (verdict.outcome !== 'require' || server.id === ownServer.id) return;
  const { perServer, perRequester } = engine.limits;
  const requester = principalHashes(engine.ring, server.id, request.requester);
  const [ofServer, ofRequester] = await Promise.all([
    engine.load.ofServer(server.id, perServer),
    engine.load.ofRequester(requester[0] ?? Buffer.alloc(0), perRequester),
  ]);
  if (ofServer >= perServer) throw tooMany(`${perServer} requests of this server are open.`);
  if (ofRequester >= perRequester) throw tooMany(`${perRequester} requests of this requester are open.`);
  const [first] = stages;
  if (first) await assertNotOverloaded(engine, first);
}

const tooMany = (what: string): Problem =>
  new Problem('rate-limited', { detail: `Wait until some requests are decided: ${what}`, retryAfter });

async function assertNotOverloaded({ load, limits }: Engine, { groups }: Judgement['stages'][number]): Promise<void> {
  for (const { approvers } of groups) {
    if (approvers === 'anyone' || !(await load.areFull(approvers, limits.perApprover))) continue;
    throw tooMany(`each person who may decide has ${limits.perApprover} open requests.`);
  }
}
