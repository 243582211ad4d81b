import { auditEntry } from '../../audit/entry.ts';
import { lookupHashes } from '../../crypto/lookup-hash.ts';
import { newId } from '../../crypto/random.ts';
import { risks } from '../../model/elicitation.ts';
import { identityKey } from '../../model/identity.ts';
import type { ServerCaller } from '../../model/user.ts';
import type { GrantRow } from '../../store/elicitation/grant-row.ts';
import type { GrantRecord } from '../../store/elicitation/grants.ts';
import type { Engine } from '../engine.ts';
import { timeAfter } from '../time-after.ts';
import { defaultAnswer } from '../elicitation/facts.ts';
import { amountWithin } from './grant-terms.ts';
import type { JudgedRequest } from '../judging/judge-request.ts';
import type { OpenRequest } from '../judging/open-request.ts';
import { usersKnownAs } from '../elicitation/requesters.ts';
import { readable } from '../elicitation/readable.ts';
import { openGrant } from '../elicitation/sealed-question.ts';

/** One use of a standing approval: taken in the statement that opens the request, or not at all. */
export interface GrantUse {
  row: GrantRow;
  /** Of the budget. */
  amount: number;
}

/**
 * The standing approval this request falls under, or null: under the same version of the policy, for the same requester
 * and agent, the same tool and arguments. Never above the ceiling, never in a freeze, never for a form that needs a
 * person, and never where one who allowed it is known by now as who asks. One whose tool has changed since is suspended.
 */
export async function findGrant(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  { judgement, checked, now }: JudgedRequest,
): Promise<GrantUse | null> {
  const { verdict } = judgement;
  const { grant: terms } = verdict;
  if (!terms || verdict.outcome !== 'require' || verdict.frozen.length > 0) return null;
  if (request.notBefore !== undefined) return null; // nobody would hold it until its time
  if (risks.indexOf(verdict.risk) > risks.indexOf(terms.ceiling)) return null;
  if (defaultAnswer({ mode: request.mode, schema: checked.schema }) === null) return null;
  const requester = lookupHashes(engine.ring, 'principal', server.id, identityKey(request.requester));
  const found = await engine.grants.inForce(server.id, request.tool.name, requester, now);
  if (found.length === 0) return null;
  const own = usersKnownAs((await engine.rules.users()).directory, request.requester);
  for (const grant of found.filter(({ voters }) => !voters.some((voter) => own.has(voter)))) {
    const amount = await amountOf(engine, grant, request, verdict.policy);
    if (amount !== null && amount <= Number(grant.budgetLeft ?? Infinity)) return { row: grant, amount };
  }
  return null;
}

async function amountOf(
  engine: Engine,
  grant: GrantRecord,
  request: OpenRequest,
  policy: string,
): Promise<number | null> {
  if (grant.policy !== policy) return null;
  if ((request.tool.schemaDigest ?? null) !== grant.toolSchema) {
    await suspend(engine, grant);
    return null;
  }
  const binding = readable(() => openGrant(engine.ring, grant));
  return binding && amountWithin(binding, request.requester, request.arguments);
}

/** What was allowed was another tool of the same name. */
async function suspend(engine: Engine, grant: GrantRecord): Promise<void> {
  const { id, serverId, elicitationId: elicitation } = grant;
  const event = { type: 'grant.suspended', grant: id, elicitation } as const;
  const entry = auditEntry(newId('entry'), timeAfter(engine, grant.createdAt), { kind: 'server', id: serverId }, event);
  await engine.grants.change(grant, { suspendedAt: entry.at }, entry);
}
