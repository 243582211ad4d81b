import { lookupHashes } from '../crypto/lookup-hash.ts';
import { Problem } from '../model/problem.ts';
import type { ServerCaller } from '../model/person.ts';
import type { Engine } from './engine.ts';
import type { CallName } from './join-call.ts';
import type { Judgement } from './judge-question.ts';
import type { OpenRequest } from './open-request.ts';

/** Seconds until the caller may hope for room. */
const retryAfter = 30;

/**
 * Refuses what would flood people: problem `rate-limited`, or `already-pending` with the id of what asks the same.
 * Counts hold for a second, so what comes at the same moment, or at other nodes, may pass a limit together.
 */
export async function refuseFlood(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  name: CallName,
  { verdict, stages }: Judgement,
): Promise<void> {
  if (verdict.outcome !== 'require') return;
  const { perServer, perRequester } = engine.limits;
  const requester = lookupHashes(engine.ring, 'principal', server.id, request.requester.subject);
  if (verdict.audience === 'approvers' && request.call === undefined) await refuseEqual(engine, requester, name);
  const [ofServer, ofRequester] = await Promise.all([
    engine.load.ofServer(server.id, perServer),
    engine.load.ofRequester(requester[0] ?? Buffer.alloc(0), perRequester),
  ]);
  if (ofServer >= perServer) throw tooMany(`${perServer} requests of this server are waiting.`);
  if (ofRequester >= perRequester) throw tooMany(`${perRequester} requests of this requester are waiting.`);
  const [first] = stages;
  if (first) await refuseOverload(engine, first);
}

const tooMany = (what: string): Problem =>
  new Problem('rate-limited', { detail: `${what} Wait until some are decided.`, retryAfter });

/** A call that has a name joins its equal; without one, nothing tells a repetition from a second wish. */
async function refuseEqual({ load, limits, ring }: Engine, requester: Buffer[], { request }: CallName): Promise<void> {
  const equal = await load.equal(requester, lookupHashes(ring, 'idempotency', request), limits.equal);
  if (equal.length < limits.equal) return;
  throw new Problem('already-pending', { detail: `${equal[0]} asks the same and is waiting for approval.` });
}

async function refuseOverload({ load, limits }: Engine, { groups }: Judgement['stages'][number]): Promise<void> {
  for (const { approvers } of groups) {
    if (approvers === 'anyone' || !(await load.areFull(approvers, limits.perApprover))) continue;
    throw tooMany(`Each of those who may decide has ${limits.perApprover} requests waiting.`);
  }
}
