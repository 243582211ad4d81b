import { newId } from '#platform/crypto/random';
import type { SpaceId, UserId, ElicitationId } from '#platform/model/id';
import type { Alone, User } from '#people/directory/contract/user';
import { inSequence, type InCommit } from '#platform/database/database';
import { isAdministrator } from '#people/directory/contract/permission';
import { assertMay } from '#people/directory/verbs/may';
import { Problem } from '#platform/model/problem';
import type { PolicyDocument, Facts } from '../document/rules/document.ts';
import { parsePolicy } from '../language/rules/parse.ts';
import type { PolicyRecord } from '../store/policies.ts';
import {
  guardPower,
  issuerOf,
  outdatedChange,
  type Administrator,
  type Agreement,
  type TokenCaller,
  needsSecond,
} from '#people/directory/verbs/directory';
import {
  aboutVersion,
  changePolicies,
  type PolicyEngine,
  type PolicyIntent,
  addDraft,
  newVersion,
  nextVersion,
  assertKeepIsGlobal,
  type VersionPlace,
  changePolicy,
} from './draft.ts';
import { digestDocument, readPolicy, retires } from './read.ts';
import { assertSatisfiableNow } from './check.ts';
import { submitVersion } from './review.ts';
import { sha256 } from '#platform/crypto/digest';
import { alwaysConditions, type AlwaysCondition, type AlwaysKind } from '../language/rules/always.ts';
import { askedIn, factsOf } from '#requests/state/verbs/change';
import { openQuestion } from '#requests/asking/verbs/question';
import type { Engine } from '#platform/nodes/verbs/engine';

export interface Applied extends VersionPlace {
  change: 'published' | 'retired' | 'unchanged';
}

export interface ApplyOptions {
  /** Retires published policies that are in none of the documents. */
  isPruning?: boolean | undefined;
  /** Changes nothing, and says what would be changed. */
  isDryRun?: boolean | undefined;
  /** The space that the policies are of; absent or null if they are global. */
  space?: SpaceId | null | undefined;
}

/** A document that is to decide from now on, in place of the version that decides now. */
export interface PlannedPolicy {
  name: string;
  change: Applied['change'];
  /** Null if none is published. */
  from: number | null;
  digest: string;
  document: string;
}

/**
 * Plans the publication of these documents. A document equal to the published one makes no version. Problem
 * `policy-invalid` or `unsatisfiable` names everything wrong.
 */
export const planPolicies = async (
  engine: PolicyEngine,
  documents: readonly string[],
  options?: Pick<ApplyOptions, 'isPruning' | 'space'>,
): Promise<(PlannedPolicy & VersionPlace)[]> => (await plan(engine, documents, options)).planned;

/** The plan, with a guard that refuses it in its commit if no one can satisfy a policy by then. */
async function plan(
  engine: PolicyEngine,
  documents: readonly string[],
  { isPruning = false, space = null }: Pick<ApplyOptions, 'isPruning' | 'space'> = {},
): Promise<{ planned: (PlannedPolicy & VersionPlace)[]; also: InCommit }> {
  const own = documents.map((document) => ({ document, policy: readPolicy(document) }));
  const read = isPruning ? [...own, ...(await retireOthers(engine, own, space))] : own;
  const policies = read.map(({ policy }) => policy);
  assertDistinctNames(policies);
  for (const policy of policies) assertKeepIsGlobal(policy, space);
  const also = await assertSatisfiableNow(engine, policies, { space });
  const stored = new Map((await engine.policies.list()).map((policy) => [policy.name, policy]));
  const planned = read.map(({ document, policy: { policy: name } }) => {
    const policy = stored.get(name) ?? null;
    if (policy && policy.spaceId !== space) throw elsewhere(name);
    return planOne(name, policy, document);
  });
  return { planned, also };
}

const elsewhere = (name: string): Problem =>
  new Problem('INVALID_INPUT', {
    errors: [
      { path: [name], message: 'Apply it where it belongs, or give it another name: a policy stays in its space.' },
    ],
  });

function planOne(name: string, policy: PolicyRecord | null, document: string): PlannedPolicy & VersionPlace {
  const digest = digestDocument(document);
  const published = publishedOf(policy);
  const isSame = published?.digest === digest;
  const change = retires(document) ? 'retired' : 'published';
  return {
    name,
    change: isSame ? 'unchanged' : change,
    from: published?.version ?? null,
    version: isSame ? published.version : nextVersion(policy),
    digest,
    document,
  };
}

/** Publishes documents as the operator, who is responsible for their review; the log says so. All of them or none, in one commit. */
export async function applyPolicies(
  engine: PolicyEngine,
  documents: readonly string[],
  { isPruning, isDryRun = false, space = null }: ApplyOptions = {},
): Promise<Applied[]> {
  const { planned, also } = await plan(engine, documents, { isPruning, space });
  const applied = isDryRun ? planned : await putInForce(engine, 'operator', planned, { space, also });
  return applied.map(({ name, version, change }) => ({ name, version, change }));
}

/**
 * Publishes global policies for an administrator, or a program by its token, after another administrator has accepted:
 * that one has reviewed them. No one does it alone, in no environment.
 */
export async function publishPolicies(
  engine: PolicyEngine,
  by: Administrator,
  { policies }: { policies: readonly PlannedPolicy[] },
): Promise<{ alone: Alone | null }> {
  assertMay(by, 'publish-policies');
  if (by === 'operator' || by.kind !== 'agreement')
    throw new Problem('forbidden', { refusal: { code: 'second-administrator' } });
  const satisfiable = await assertSatisfiableNow(
    engine,
    policies.map(({ document }) => readPolicy(document)),
    { author: by.id, space: null },
  );
  const { also } = guardPower(engine, by, 'publish-policies');
  await putInForce(engine, by, policies, { space: null, also: inSequence(also, satisfiable) });
  return { alone: null };
}

/** Policies that differ from the published ones, without the numbers that their versions would have now. */
export const changing = (planned: readonly (PlannedPolicy & VersionPlace)[]): PlannedPolicy[] =>
  planned
    .filter(({ change }) => change !== 'unchanged')
    .map(({ name, change, from, digest, document }) => ({ name, change, from, digest, document }));

/**
 * Decides in the commit what changes, and returns it. Problem `not-now` if another version was published since people agreed;
 * the operator's documents take the place of whatever is published by then.
 */
async function putInForce(
  engine: PolicyEngine,
  by: 'operator' | Agreement,
  planned: readonly PlannedPolicy[],
  { space, also }: { space: SpaceId | null; also: InCommit },
): Promise<(PlannedPolicy & VersionPlace)[]> {
  const done = new Map<string, PlannedPolicy & VersionPlace>();
  const byName = new Map(planned.map((policy) => [policy.name, policy]));
  const at = engine.now();
  const review = by === 'operator' ? {} : { reviewerId: await reviewerOf(engine, by), reviewedAt: at };
  const decide = (name: string, policy: PolicyRecord | null): PolicyIntent | null => {
    const { document, digest, from } = byName.get(name) as PlannedPolicy;
    if (policy && policy.spaceId !== space) throw elsewhere(name);
    if (by !== 'operator' && (policy?.publishedVersion ?? null) !== from) throw outdatedChange();
    const current = planOne(name, policy, document);
    done.set(name, current);
    if (current.change === 'unchanged') return null;
    const draft = newVersion(policy, { document, digest, note: '', authorId: issuerOf(by), createdAt: at });
    const version = { ...draft, state: 'approved' as const, publishedAt: at, ...review };
    const id = policy?.id ?? newId('policy');
    return {
      write: { type: 'version', policy: id, name, version, isPublished: true, spaceId: space },
      event: aboutVersion('policy.published', name, version),
    };
  };
  await changePolicies(engine, by, [...byName.keys()], decide, { also, newIn: space });
  return [...done.values()];
}

/** The first administrator who accepted: a policy may ask others as well. */
async function reviewerOf({ directory }: Pick<PolicyEngine, 'directory'>, by: Agreement): Promise<UserId | null> {
  const { users } = await directory.read();
  const administrators = new Set(users.filter(isAdministrator).map(({ id }) => id));
  return by.with.find((id) => administrators.has(id)) ?? null;
}

/** For each published policy of the space that these leave out, the document that retires it. */
async function retireOthers(engine: PolicyEngine, documents: { policy: PolicyDocument }[], space: SpaceId | null) {
  const names = new Set(documents.map(({ policy }) => policy.policy));
  const others = (await exportPolicies(engine)).filter(
    ({ name, document, spaceId }) => spaceId === space && !names.has(name) && !retires(document),
  );
  return others.map(({ name }) => {
    const document = `policy: ${JSON.stringify(name)}\nretire: { reason: It is in none of the files that were applied. }\n`;
    return { document, policy: readPolicy(document) };
  });
}

function assertDistinctNames(policies: PolicyDocument[]): void {
  const names = policies.map(({ policy }) => policy);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length === 0) return;
  const message = 'Keep one of these documents: more than one has this name.';
  throw new Problem('policy-invalid', { errors: [...new Set(twice)].map((name) => ({ path: [name], message })) });
}

/** Makes a draft of every document that differs from the published one; publishes nothing. */
export async function importPolicies(
  engine: PolicyEngine,
  by: User | TokenCaller,
  documents: string[],
): Promise<{ drafts: VersionPlace[]; unchanged: string[] }> {
  const read = documents.map((document) => ({ document, name: readPolicy(document).policy }));
  const drafts: VersionPlace[] = [];
  const unchanged: string[] = [];
  for (const { document, name } of read) {
    const published = publishedOf(await engine.policies.find(name));
    if (published?.digest === digestDocument(document)) unchanged.push(name);
    else drafts.push(await addDraft(engine, by, { document, note: 'Imported' }));
  }
  return { drafts, unchanged };
}

/** Every published document as its author wrote it, by name. */
export async function exportPolicies({ policies }: Pick<PolicyEngine, 'policies'>) {
  const inForce = await policies.inForce();
  return inForce
    .filter(({ isShadow }) => !isShadow)
    .map(({ name, version, document, spaceId }) => {
      const parsed = parsePolicy(document);
      return { name, version, document, spaceId, errors: parsed.ok ? [] : parsed.errors };
    });
}

const publishedOf = (policy: PolicyRecord | null) =>
  policy?.versions.find(({ version }) => version === policy.publishedVersion);

/** A policy by which calls like one that was asked about would run, and by what people know it. */
interface AlwaysChoice {
  kind: AlwaysKind;
  value: string;
  tools: string[];
  policy: string;
  document: string;
}

const day = 86_400_000;

/** The policies that can be written from this request, the narrowest first, each for so many days. */
export async function alwaysChoices(engine: Engine, id: ElicitationId, days: number): Promise<AlwaysChoice[]> {
  const row = await engine.reader.elicitation(id);
  if (!row) throw new Problem('not-found');
  if (openQuestion(engine.ring, row).proven) return []; // a rule would hold without what providers have confirmed
  const { directory } = await engine.rules.current();
  const facts = factsOf(askedIn(engine, row), directory, engine, engine.now());
  const until = new Date(Math.ceil((engine.now() + days * day) / 60_000) * 60_000).toISOString().replace('.000Z', 'Z');
  return alwaysConditions(facts)
    .map((condition) => choiceOf(condition, facts, until))
    .filter(({ document }) => isReadable(document));
}

interface AllowAlways {
  /** The name of one of the choices. */
  policy: string;
  days: number;
}

/**
 * Publishes one of the choices if one administrator is enough for that. Otherwise it is put before a second one, as every
 * other policy is. Problem `not-found` for any other name.
 */
export async function allowAlways(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { policy: name, days }: AllowAlways,
): Promise<{ place: VersionPlace; alone: Alone | null }> {
  const choice = (await alwaysChoices(engine, id, days)).find(({ policy }) => policy === name);
  if (!choice) throw new Problem('not-found');
  return decideAlone(engine, user, { ...choice, note: `Written from ${id}` });
}

interface Written {
  policy: string;
  document: string;
  note: string;
}

/** Publishes what Assentry has written if one administrator is enough; otherwise it waits for a second one. `first` commits with it. */
export async function decideAlone(
  engine: Engine,
  user: User,
  written: Written,
  first?: InCommit,
): Promise<{ place: VersionPlace; alone: Alone | null }> {
  try {
    return await publishAlone(engine, user, written, first);
  } catch (error) {
    if (!needsSecond(error)) throw error;
  }
  const place = await addDraft(engine, user, written, first);
  await submitVersion(engine, user, place);
  return { place, alone: null };
}

async function publishAlone(
  engine: Engine,
  user: User,
  { policy: name, document, note }: Written,
  first?: InCommit,
): Promise<{ place: VersionPlace; alone: Alone | null }> {
  const { also, alone } = guardPower(engine, user, 'publish-policies');
  const place = { name, version: 1 };
  const digest = digestDocument(document);
  const at = engine.now();
  await changePolicy(
    engine,
    user,
    name,
    (policy) => {
      const draft = newVersion(policy, { document, digest, note, authorId: null, createdAt: at });
      // Assentry has written it, and this person has decided on it.
      const reviewed = { state: 'approved' as const, reviewerId: user.id, reviewedAt: at };
      const version = { ...draft, ...reviewed, publishedAt: at };
      place.version = version.version;
      return {
        write: { type: 'version', policy: policy?.id ?? newId('policy'), name, version, isPublished: true },
        event: aboutVersion('policy.published', name, version),
      };
    },
    { also, first, needed: 'publish-policies' },
  );
  return { place, alone: alone() };
}

/** It comes before more general policies, and after those that deny. */
export function choiceOf(
  { kind, value, tools, when }: AlwaysCondition,
  { request }: Facts,
  until: string,
): AlwaysChoice {
  const { server, tool, risk } = request;
  const policy = nameOf(server, tool, [...tools, when]);
  const document = `policy: ${policy}
description: Calls like one that people were asked about run without an approval.
priority: 100

match:
  server: ${JSON.stringify(server)}
  tool: ${JSON.stringify(tools)}

when: |-
  ${when.replaceAll('\n', '\n  ')}

allow:
  ceiling: ${tools.length > 1 && kind !== 'project' ? 'high' : risk}
  until: ${until}
`;
  return { kind, value, tools, policy, document };
}

/** Names a rule by its content, so that it can be renewed. */
function nameOf(server: string, tool: string, limits: string[]): string {
  const plain = tool.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const digits = sha256([server, ...limits].join('\n'))
    .subarray(0, 5)
    .toString('hex');
  return `always-${plain.slice(0, 40)}-${digits}`;
}

function isReadable(document: string): boolean {
  try {
    return readPolicy(document).rules.every(({ rule }) => rule.outcome === 'allow');
  } catch {
    return false;
  }
}
