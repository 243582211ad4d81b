import { auditEntry } from '#audit/entries/rules/entry';
import { requestFacts } from '#audit/entries/rules/events';
import { principalHashes } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import { everyAccount } from '#people/accounts/contract';
import { risks } from '../../asking/contract/elicitation.ts';
import { usersOf } from '../../voting/contract/quorum/quorum.ts';
import type { ServerCaller } from '#people/directory/contract/user';
import type { GrantRow } from '../store/grants/grant-row.ts';
import type { GrantRecord } from '../store/grants/grants.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { timeAfter } from '#platform/nodes/verbs/lists';
import { defaultAnswer } from '../../state/verbs/change/facts.ts';
import { amountWithin } from './grant-terms.ts';
import type { JudgedRequest } from '#policies/deciding/verbs/judge';
import type { OpenRequest } from '#policies/deciding/verbs/open';
import { countedMaker, usersKnownAs } from '../../asking/verbs/requester/requesters.ts';
import { readable } from '../../state/verbs/change/readable.ts';
import type { CurrentRules } from '#policies/deciding/rules/standing';
import { lapseOf } from '../../state/verbs/change/revalidate.ts';
import { openGrant, openQuestion } from '../../asking/verbs/question/sealed-question.ts';

/** One use of a standing approval, taken in the statement that opens the request. */
export interface GrantUse {
  row: GrantRow;
  /** Of the budget. */
  amount: number;
}

/**
 * The standing approval this request falls under, or null: under the same version of the policy, for the same requester
 * and agent, the same tool and arguments. Never above the ceiling, never in a freeze, never for a form that needs a
 * person, and never if those who allowed it could no longer do so. If its tool has changed, it is suspended.
 */
export async function findGrant(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  { judgement, checked, now, snapshot }: JudgedRequest,
): Promise<GrantUse | null> {
  const { verdict } = judgement;
  const { grant: terms } = verdict;
  if (!terms || verdict.outcome !== 'require' || verdict.frozen.length > 0) return null;
  if (request.notBefore !== undefined) return null; // nothing would delay it until its start
  if (risks.indexOf(verdict.risk) > risks.indexOf(terms.ceiling)) return null;
  if (defaultAnswer({ mode: request.mode, schema: checked.schema }) === null) return null;
  const requester = principalHashes(engine.ring, server.id, request.requester);
  const records = await engine.grants.inForce(server.id, request.tool.name, requester, now);
  if (records.length === 0) return null;
  const rules = await snapshot.rules();
  const maker = countedMaker(server.maker, server.name, engine.environment);
  const askers = new Set([
    ...usersKnownAs(rules.directory, request.requester),
    ...everyAccount(rules.directory.accounts, maker ? [maker] : []),
  ]);
  for (const grant of records) {
    const amount = await amountOf(engine, grant, request, verdict.policy);
    if (amount === null || amount > Number(grant.budgetLeft ?? Infinity)) continue;
    if (await doesGrantStand(engine, grant, { askers, present: rules, now })) return { row: grant, amount };
  }
  return null;
}

/**
 * Would the approval that it came from still be given by the same votes, people and policies, and by no one who asks
 * now?
 */
export async function doesGrantStand(
  engine: Engine,
  { elicitationId }: Pick<GrantRecord, 'elicitationId'>,
  { askers, present, now }: { askers: ReadonlySet<string>; present: CurrentRules; now: number },
): Promise<boolean> {
  const source = await engine.reader.elicitation(elicitationId);
  if (source === null || lapseOf(engine, source, present, now) !== null) return false;
  const accepting = source.state.context.votes.filter(({ action }) => action === 'accept');
  return !accepting.flatMap(usersOf).some((user) => askers.has(user));
}

async function amountOf(
  engine: Engine,
  grant: GrantRecord,
  request: OpenRequest,
  policy: string,
): Promise<number | null> {
  if (grant.policy !== policy) return null;
  if (!(await isAtPlace(engine, grant, request.tool))) return null;
  if (!(await isOfTool(engine, grant, request.tool))) {
    await suspend(engine, grant);
    return null;
  }
  const binding = readable(() => openGrant(engine.ring, grant));
  return binding && amountWithin(binding, request.requester, request.arguments);
}

/** Was it given for a server that reaches the same? Under one name there may be several, so that this ends nothing. */
async function isAtPlace(engine: Engine, grant: GrantRecord, { reaches }: OpenRequest['tool']): Promise<boolean> {
  const source = await engine.reader.elicitation(grant.elicitationId);
  return source !== null && openQuestion(engine.ring, source).tool.reaches === reaches;
}

/** Was it given for the tool as it is declared and described now? */
async function isOfTool(engine: Engine, grant: GrantRecord, tool: OpenRequest['tool']): Promise<boolean> {
  const { title = null, description = null, schemaDigest = null } = tool;
  if (schemaDigest !== grant.toolSchema) return false;
  const source = await engine.reader.elicitation(grant.elicitationId);
  const approvedTool = source && openQuestion(engine.ring, source).tool;
  return approvedTool?.title === title && approvedTool.description === description;
}

/** The standing approval was for an earlier version of the tool. */
async function suspend(engine: Engine, grant: GrantRecord): Promise<void> {
  const { id, serverId, elicitationId: elicitation } = grant;
  const event = { type: 'grant.suspended', ...requestFacts(grant), grant: id, elicitation } as const;
  const entry = auditEntry(newId('entry'), timeAfter(engine, grant.createdAt), { kind: 'server', id: serverId }, event);
  await engine.grants.change(grant, { suspendedAt: entry.at }, entry);
}
