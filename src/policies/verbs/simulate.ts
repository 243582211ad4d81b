import { outcomeAction } from '#requests/asking/contract/elicitation';
import { replacing, type Rules } from '../deciding/verbs/rules.ts';
import { assertMay, mayIn } from '#people/directory/verbs/may';
import type { ElicitationId } from '#platform/model/id';
import type { Requester, User } from '#people/directory/contract/user';
import type { PolicyClause } from '../deciding/contract/clause.ts';
import { policyPin, type PolicyAside, isTrial } from '../contract/policy.ts';
import { compileBook, type PolicyBook } from '../deciding/rules/book.ts';
import type { Verdict } from '../document/rules/verdict.ts';
import { whyAside, type Tried } from '../deciding/rules/describe.ts';
import type { Asked } from '#requests/asking/store/reader';
import type { ElicitationRow } from '#requests/state/store/row';
import type { Administrator } from '#people/directory/verbs/directory';
import type { Engine } from '#platform/nodes/verbs/engine';
import { askedIn, factsOf, type AskedQuestion } from '#requests/state/verbs/change';
import { judgeQuestion, outcomeOf, outcomeOfVerdict, formatOutcome, type Judgement } from '../deciding/verbs/judge.ts';
import { everyAccount, type Accounts } from '#people/accounts/contract';
import { refusalWithout, type Permission as RolePermission } from '#people/directory/contract/permission';
import { usersOf } from '#requests/voting/contract/stages';
import type { PolicyRecord, VersionRecord } from '../store/policies.ts';
import { permission, type Objection, type Permission } from '#requests/state/verbs/permissions';
import { readPolicy, describeDocument } from './read.ts';

export type SimulationEngine = Pick<
  Engine,
  'rules' | 'reader' | 'policies' | 'ring' | 'environment' | 'defaults' | 'now'
>;

/** Requests among these that the reader may read: an outcome reveals their content. */
type ReadableAmong = (rows: ElicitationRow[]) => Promise<ReadonlySet<ElicitationId>>;

/** A request that was never asked. */
interface Fixture extends Omit<AskedQuestion, 'annotations' | 'audience' | 'reason' | 'schema' | 'requester'> {
  name: string;
  annotations?: Record<string, unknown> | undefined;
  audience?: AskedQuestion['audience'] | undefined;
  reason?: string | undefined;
  requester: Requester;
  expected?: 'allow' | 'requester' | 'deny' | 'require' | undefined;
}

export interface SimulatedRequests extends Asked {
  /** Number of the latest real requests. */
  last: number;
  fixtures?: Fixture[] | undefined;
}

interface SimulationRequest extends SimulatedRequests {
  documents: string[];
}

/**
 * What these documents would decide for the latest requests and for fixtures, next to what the published ones decide.
 * Uses the same code as real requests, with the current people and the time at which each was asked. Real requests that the
 * reader may not read are counted and no more; without `among` the reader is the operator, who may read all.
 */
export async function simulatePolicies(
  engine: SimulationEngine,
  by: Administrator,
  request: SimulationRequest,
  among?: ReadableAmong,
) {
  assertMay(by, 'write-policies');
  const rules = await engine.rules.current();
  const drafts = await draftBook(engine, rules, request.documents);
  const judge = judgeWith(engine, rules, drafts.book);
  const [tried, ...others] = drafts.tried;
  const asideOf = (question: AskedQuestion, { verdict }: Judgement): PolicyAside | null => {
    if (tried === undefined || others.length > 0) return null; // of several, some are about other calls
    return whyAside(verdict, tried, factsOf(question, rules.directory, engine, engine.now()).request.risk);
  };
  const real = await judgeLatest(engine, request, judge, among);
  const names = new Map(rules.directory.users.map(({ id, name }) => [id, name]));
  const fixtures = (request.fixtures ?? []).map((fixture) =>
    judgeFixture(fixture, judge, { now: engine.now(), names, asideOf }),
  );
  const requests = [...fixtures, ...real.results];
  const totals = {
    requests: requests.length,
    different: requests.filter(({ differs }) => differs).length,
    decided: requests.filter(({ draft }) => drafts.tried.some(({ policy }) => policy === draft.policy)).length,
    failed: requests.filter(({ failed }) => failed).length,
    skipped: real.skipped,
    withheld: real.withheld,
  };
  return { requests, totals };
}

/** The published policies with the drafts among them, under the number each has or would get. */
async function draftBook(
  { policies }: SimulationEngine,
  { published }: Rules,
  documents: string[],
): Promise<{ book: PolicyBook; tried: Tried[] }> {
  let all = published;
  const tried: Tried[] = [];
  for (const text of documents) {
    const document = readPolicy(text);
    const record = await policies.find(document.policy);
    const stored = record?.versions.find((version) => version.document === text);
    const version = stored?.version ?? (record?.versions[0]?.version ?? 0) + 1;
    all = replacing(all, { document, version, authorId: null, spaceId: record?.spaceId ?? null });
    tried.push({ policy: policyPin(document.policy, version), terms: describeDocument(text) });
  }
  return { book: compileBook(all), tried };
}

type Judge = (question: AskedQuestion, at: number) => { live: Judgement; draft: Judgement };

const judgeWith =
  (engine: SimulationEngine, { book, directory }: Rules, drafts: PolicyBook): Judge =>
  (question, at) => ({
    live: judgeQuestion(engine, book, directory, question, at),
    draft: judgeQuestion(engine, drafts, directory, question, at),
  });

/** The rows of one read: each may hold a megabyte. */
const batchSize = 50;

async function judgeLatest(
  engine: SimulationEngine,
  { last, ...choice }: SimulationRequest,
  judge: Judge,
  among?: ReadableAmong,
) {
  const results: ReturnType<typeof describeResult>[] = [];
  let [skipped, withheld] = [0, 0];
  let before: ElicitationRow | null = null;
  for (let remaining = last; remaining > 0; remaining -= batchSize) {
    const rows: ElicitationRow[] = await engine.reader.latest(Math.min(remaining, batchSize), before, choice);
    const readableIds = await among?.(rows);
    for (const row of rows) {
      if (readableIds && !readableIds.has(row.id)) {
        withheld += 1;
        continue;
      }
      const question = readable(engine, row);
      if (question) results.push(toShownRow(row, question, judge));
      else skipped += 1;
    }
    before = rows.at(-1) ?? null;
    if (rows.length < batchSize) break;
  }
  return { results, skipped, withheld };
}

/** Null if the content was erased, or its keys are missing. */
function readable(engine: SimulationEngine, row: ElicitationRow): AskedQuestion | null {
  try {
    return askedIn(engine, row);
  } catch {
    return null;
  }
}

function toShownRow(row: ElicitationRow, question: AskedQuestion, judge: Judge) {
  const ended = row.status === 'open' ? null : outcomeAction[row.status];
  return { ...describeResult(question, judge(question, row.openedAt)), elicitation: row.id, at: row.openedAt, ended };
}

interface Trial {
  now: number;
  names: Names;
  asideOf(question: AskedQuestion, draft: Judgement): PolicyAside | null;
}

function judgeFixture({ name, expected, ...fixture }: Fixture, judge: Judge, { now, names, asideOf }: Trial) {
  const { annotations = {}, audience = null, reason = null, ...rest } = fixture;
  const schema = { type: 'object' as const, properties: {} };
  const question = { ...rest, annotations, audience, reason, schema };
  const judged = judge(question, now);
  const { verdict } = judged.draft;
  const failed = expected !== undefined && ![verdict.outcome, outcomeOfVerdict(verdict)].includes(expected);
  const explained = { live: explain(judged.live, names), draft: explain(judged.draft, names) };
  return { ...describeResult(question, judged), name, failed, explained, aside: asideOf(question, judged.draft) };
}

type Names = ReadonlyMap<string, string>;

/** The policy's verdict on it, and the names of those who would be asked. */
const explain = ({ verdict, stages }: Judgement, names: Names) => ({
  terms: verdict.explanation.terms,
  stages: stages.map(({ name, groups }) => ({
    name,
    people: usersIn(groups)?.map((id) => names.get(id) ?? id) ?? null,
  })),
});

function describeResult({ server, tool }: AskedQuestion, { live, draft }: ReturnType<Judge>) {
  const changes = { live: clausesOnlyIn(live, draft), draft: clausesOnlyIn(draft, live) };
  return {
    elicitation: null as ElicitationRow['id'] | null,
    name: null as string | null,
    server,
    tool,
    at: null as number | null,
    live: toShownVerdict(live),
    draft: toShownVerdict(draft),
    changes,
    // Also true if the same people must give another number of approvals, or by another deadline.
    differs:
      formatOutcome(live) !== formatOutcome(draft) ||
      live.verdict.risk !== draft.verdict.risk ||
      changes.live.length + changes.draft.length > 0,
    explained: null as Record<'live' | 'draft', ReturnType<typeof explain>> | null,
    aside: null as PolicyAside | null,
    ended: null as (typeof outcomeAction)[keyof typeof outcomeAction] | null,
    failed: false,
  };
}

function clausesOnlyIn({ verdict }: Judgement, other: Judgement): PolicyClause[] {
  const others = new Set(other.verdict.explanation.terms.map((clause) => JSON.stringify(clause)));
  return verdict.explanation.terms.filter((clause) => !others.has(JSON.stringify(clause)));
}

function toShownVerdict(judgement: Judgement) {
  const { verdict, stages, shortage } = judgement;
  return {
    outcome: outcomeOf(judgement),
    policy: verdict.policy,
    rule: placeOf(verdict),
    risk: verdict.risk,
    stages: stages.map(({ name, groups }) => ({ name, approvers: usersIn(groups)?.length ?? null })),
    reason: shortage?.reason ?? verdict.reason,
  };
}

/** The deciding rule among several of its policy: the one that applies, before those that could not be evaluated. */
function placeOf({ policy, explanation }: Verdict): number | null {
  const rules = explanation.considered.filter((rule) => rule.decided && rule.policy === policy);
  return (rules.find(({ result }) => result === 'applied') ?? rules[0])?.rule ?? null;
}

/** Everyone in one of these groups, once; null is everyone who may vote. */
function usersIn(groups: Judgement['stages'][number]['groups']): string[] | null {
  const approvers = groups.map((group) => group.approvers);
  return approvers.includes('anyone') ? null : [...new Set(approvers.flat())];
}

type Standing = Pick<PolicyRecord, 'publishedVersion' | 'shadowVersion'>;

type Version = Pick<VersionRecord, 'version' | 'state' | 'authorId'>;

type Rule = (
  user: User,
  version: Version,
  policy: Standing,
  accounts: Accounts | undefined,
  environment: string | undefined,
) => Objection[];

/**
 * The objections to each step of one version of a policy, for someone whose role lets them: `changePolicies` and `guardPower`
 * refuse everyone else. The verbs refuse by them, and the page shows them.
 */
export const againstVersion = {
  edit: (user, { state, authorId }) => [
    [state !== 'draft', 'not-now', 'not-a-draft'],
    [authorId !== user.id, 'not-now', 'draft-of-other'],
  ],
  submit: (user, { state, authorId }) => [
    [state !== 'draft', 'not-now', 'already-submitted'],
    [authorId !== user.id, 'not-now', 'draft-of-other'],
  ],
  // Four eyes: no one reviews what they wrote, nor what the issuer of their sign-in wrote, under whatever account.
  review: (user, { state, authorId }, _policy: unknown, accounts) => [
    [state !== 'in-review', 'not-now', 'not-in-review'],
    [
      everyAccount(accounts, usersOf({ by: user.id, issuer: user.credentialIssuer })).includes(authorId ?? ''),
      'not-now',
      'own-version',
    ],
  ],
  publish: (_user: unknown, { version, state }: Version, { publishedVersion }: Standing) => [
    [state !== 'approved', 'not-now', 'not-approved'],
    [version === publishedVersion, 'not-now', 'is-published'],
    // A rollback is a new version, so that it is reviewed.
    [version < (publishedVersion ?? 0), 'not-now', 'newer-published'],
  ],
  restore: (_user, { version, state }, { publishedVersion }) => [
    [version === publishedVersion, 'not-now', 'is-published'],
    [state === 'draft', 'not-now', 'is-draft'],
  ],
  // Its findings tell of requests. A version that no longer changes is enough in a trial; nodes hold it in memory.
  shadow: (_user, { version, state }, { publishedVersion }, _accounts, environment) => [
    [version === publishedVersion, 'not-now', 'is-published'],
    [state === 'draft', 'not-now', 'submit-first'],
    [state === 'rejected', 'not-now', 'was-rejected'],
    [state === 'in-review' && !isTrial(environment), 'not-now', 'not-approved'],
  ],
} satisfies Record<string, Rule>;

/** Whether someone may review a version, whose policy belongs to this space; `accounts` are of everyone who has several. */
export const mayReview = (
  directory: Parameters<typeof mayIn>[0],
  user: User,
  version: Version & Pick<PolicyRecord, 'spaceId'>,
  accounts: Accounts | undefined,
): boolean =>
  mayIn(directory, user, 'write-policies', version.spaceId) &&
  permission(againstVersion.review(user, version, null, accounts)).allowed;

interface VersionReader {
  mayDo: (permission: RolePermission) => boolean;
  accounts: Accounts | undefined;
  environment: string;
}

/** Everything a person may do on the page of one version; `mayDo` is what their role lets them do where the policy is. */
export function versionPermissions(
  user: User,
  version: Version,
  policy: Standing,
  { mayDo, accounts, environment }: VersionReader,
) {
  const rules = Object.entries<Rule>(againstVersion);
  const permissions = rules.map(([step, rule]) => {
    const needed = step === 'publish' ? 'publish-policies' : 'write-policies';
    const without: Objection = [!mayDo(needed), 'forbidden', refusalWithout(needed)];
    return [step, permission([without, ...rule(user, version, policy, accounts, environment)])];
  });
  return Object.fromEntries(permissions) as Record<keyof typeof againstVersion, Permission>;
}
