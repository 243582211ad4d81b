import { policyPin } from '#policies/contract/policy';
import type { PublishedPolicy } from '#policies/deciding/rules/book';
import type { EndedContent, StoredPassedCall, StoredContent } from '../store.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { RulesSnapshot } from '#policies/deciding/verbs/rules';
import { keptByHolds, deciders, requesterHashes } from './holds.ts';
import { readEntry, auditEntry, type Actor, type AuditEvent } from '#audit/entries/rules/entry';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { User, Alone } from '#people/directory/contract/user';
import { currentElicitation } from '#requests/state/verbs/change';
import { usersIn, showVotes, isAboutRequest, showActor, showEvent } from '#requests/inbox/verbs/request';
import { assertVisible } from '#requests/inbox/verbs/visibility';
import { newId } from '#platform/crypto/random';
import { type ContentScope, type ErasureGround, collectWithin } from '#requests/asking/contract/elicitation';
import { actorOf, guardPower, type Administrator, type DirectoryEngine } from '#people/directory/verbs/directory';
import type { StoredCredential } from '#connect/credentials/store';
import { credentialEntry } from '#connect/credentials/verbs';
import { requestFacts } from '#audit/entries/rules/events';
import type { Epoch } from '#platform/database/epochs';
import type { InCommit } from '#platform/database/database';
import type { ErasedContent } from '../contract.ts';

/** Requests whose content is erased in one commit. */
const batchSize = 100;

/**
 * Erases content older than the published version of its policy allows, except content under a hold or still needed, and the
 * arguments of calls that it let pass; resolves with the number of requests and calls. Two people publish a policy, so two have
 * decided it.
 */
export async function eraseOutlived(engine: Engine): Promise<number> {
  const snapshot = await engine.rules.snapshot();
  const { published } = await snapshot.rules();
  let erased = 0;
  for (const policy of published) {
    erased += await eraseUnder(engine, snapshot, policy);
    erased += await erasePassedUnder(engine, snapshot, policy);
  }
  return erased;
}

async function eraseUnder(
  engine: Engine,
  { epoch }: RulesSnapshot,
  { document: { policy: name, keep }, version }: PublishedPolicy,
): Promise<number> {
  if (keep === null) return 0;
  const by = { actor: { kind: 'policy', policy: policyPin(name, version) }, ground: 'policy', epoch } as const;
  const before = engine.now() - keep;
  let erased = 0;
  for (let after: EndedContent | null = null; ;) {
    const ended: EndedContent[] = await engine.contents.endedUnder(name, before, after, batchSize);
    const ids = ended.map(({ id }) => id);
    if (ids.length > 0) erased += (await destroyKeys(engine, ids, by)).erased;
    if (ids.length < batchSize) return erased;
    after = ended.at(-1) ?? null;
  }
}

async function erasePassedUnder(
  engine: Engine,
  { epoch }: RulesSnapshot,
  { document: { policy, keep }, version }: PublishedPolicy,
): Promise<number> {
  if (keep === null) return 0;
  const at = engine.now();
  const reason = { actor: { kind: 'policy', policy: policyPin(policy, version) }, ground: 'policy', at } as const;
  let erased = 0;
  for (let after: StoredPassedCall | null = null; ;) {
    const batch: Awaited<ReturnType<Engine['passedCalls']['eraseUnder']>> = await engine.passedCalls.eraseUnder(
      { policy, before: at - keep, after, epoch },
      async (calls, inForce) => chooseErased(calls, await keptByHolds(engine, inForce), reason),
    );
    erased += batch.erased;
    if (batch.last === null) return erased;
    after = batch.last;
  }
}

/** Remains of a request with erased content: the erasure, its deciders, and its events. */
export async function showErased(engine: Engine, user: User, id: ElicitationId) {
  const row = await currentElicitation(engine, id);
  await assertVisible(engine, user, row, 'notice');
  if (row.dataKey) throw new Problem('not-found');
  const history = (await engine.reader.history(id)).map(readEntry);
  const erasure = history.findLast((event) => event.type === 'content.erased');
  if (!erasure) throw new Problem('unproven');
  const people = [...history.flatMap(usersIn), ...deciders(erasure.actor)];
  const names = new Map([[row.serverId as string, row.serverName], ...(await engine.users.names(people))]);
  const votes = (await engine.reader.votes(id)).map((vote) => ({ ...vote, comment: null }));
  const { status, cause, risk, revision, digest, policy, tool, openedAt, closedAt } = row;
  return {
    id,
    server: row.serverName,
    tool,
    status,
    cause,
    risk,
    revision,
    digest,
    policy,
    openedAt,
    closedAt,
    erased: {
      at: Date.parse(erasure.at),
      by: showActor(erasure.actor, names),
      with: deciders(erasure.actor)
        .slice(1)
        .map((id) => names.get(id) ?? ''),
      ground: erasure.ground,
    },
    votes: showVotes(engine.ring, row, votes, history, names).map(({ id: _id, ...vote }) => vote),
    timeline: history.filter(isAboutRequest).map((event) => ({
      at: Date.parse(event.at),
      by: showActor(event.actor, names),
      event: showEvent(event, names),
      comment: null,
    })),
  };
}

export type KeepingEngine = DirectoryEngine &
  Pick<Engine, 'contents' | 'passedCalls' | 'credentials' | 'holds' | 'reader' | 'ring' | 'users'>;

export interface Erasure {
  /** The request or, for everything of its requester, any readable request of theirs. */
  request: ElicitationId;
  of: ContentScope;
  ground: ErasureGround;
}

/**
 * Erases content by destroying its key, in one commit with an entry for each request; its other entries and its receipt stay
 * valid. Everything of a requester includes the arguments of their passed calls and their credentials for servers. Problem
 * `not-now` if nothing can be erased, and the problems of `guardPower`.
 */
export async function eraseContent(
  engine: KeepingEngine,
  by: Administrator,
  { request, of, ground }: Erasure,
): Promise<ErasedContent & { alone: Alone | null }> {
  const { also, alone } = guardPower(engine, by, 'hold-content');
  const hashes = of === 'request' ? [] : await hashesOf(engine, request);
  const ids = of === 'request' ? [request] : await engine.contents.ofRequester(hashes);
  const entryOf = (credential: StoredCredential) =>
    credentialEntry(credential, engine.now(), actorOf(by), { type: 'credential.removed' });
  const reason = { actor: actorOf(by), ground, at: engine.now() };
  const erased = await destroyKeys(engine, ids, reason, async (tx, count, isHeld) => {
    assertSomethingErased(count);
    await also(tx);
    await engine.passedCalls.eraseOf(tx, hashes, (calls) => chooseErased(calls, isHeld, reason));
    await engine.credentials.removeAll(hashes, entryOf)(tx);
  });
  return { ...erased, alone: alone() };
}

/** Hashes that find the requester of this request, at every server. */
async function hashesOf(engine: KeepingEngine, request: ElicitationId): Promise<Uint8Array[]> {
  const hashes = await requesterHashes(engine, request);
  if (!hashes) throw nothing();
  const { servers } = await engine.directory.read();
  return servers.flatMap(({ id }) => hashes(id));
}

const nothing = (): Problem => new Problem('not-now', { refusal: { code: 'nothing-to-erase' } });

function assertSomethingErased({ erased, held, needed }: ErasedContent): void {
  if (erased > 0) return;
  if (held + needed === 0) throw nothing();
  throw new Problem('not-now', { refusal: { code: held > 0 ? 'content-held' : 'content-needed' } });
}

interface Reason {
  actor: Actor;
  ground: Extract<AuditEvent, { type: 'content.erased' }>['ground'];
  /** The epoch of the policies that decided it, if any. */
  epoch?: Epoch;
}

type IsHeld = Awaited<ReturnType<typeof keptByHolds>>;

type InThatCommit = (tx: Parameters<InCommit>[0], count: ErasedContent, isHeld: IsHeld) => Promise<void>;

/**
 * Destroys the keys of those requests that nothing holds or needs, with an entry each. `also` gets them in the same commit, and
 * prevents it by throwing.
 */
async function destroyKeys(
  engine: Pick<Engine, 'contents' | 'reader' | 'ring' | 'now'>,
  ids: ElicitationId[],
  by: Reason,
  also: InThatCommit = async () => {},
): Promise<ErasedContent> {
  let count: ErasedContent = { erased: 0, held: 0, needed: 0 };
  let isHeld: IsHeld = () => true;
  const now = engine.now();
  await engine.contents.erase(
    { ids, now, staleBefore: now - collectWithin, ...(by.epoch && { epoch: by.epoch }) },
    async (contents, inForce) => {
      isHeld = await keptByHolds(engine, inForce);
      const free = contents.filter((content) => !isHeld(content));
      const erasable = free.filter(({ isNeeded }) => !isNeeded);
      count = { erased: erasable.length, held: contents.length - free.length, needed: free.length - erasable.length };
      return erasable.map((content) => ({ id: content.id, entry: entryOf(content, now, by) }));
    },
    (tx) => also(tx, count, isHeld),
  );
  return count;
}

const entryOf = (content: StoredContent, now: number, { actor, ground }: Reason) =>
  auditEntry(newId('entry'), now, actor, {
    type: 'content.erased',
    ...requestFacts(content),
    elicitation: content.id,
    ground,
  });

/** Limit of calls named in one entry. */
const maxNamed = 100;

interface PassedReason {
  at: number;
  actor: Actor;
  ground: Extract<AuditEvent, { type: 'call.erased' }>['ground'];
}

/** Calls that no hold keeps, with the entries of their erasure: one for each server. */
function chooseErased(
  calls: StoredPassedCall[],
  isHeld: (call: StoredPassedCall) => boolean,
  { at, actor, ground }: PassedReason,
) {
  const free = calls.filter((call) => !isHeld(call));
  const servers = new Map(free.map(({ serverId, serverName }) => [serverId, serverName]));
  const entries = [...servers].flatMap(([server, serverName]) => {
    const ids = free.filter(({ serverId }) => serverId === server).map(({ id }) => id);
    return Array.from({ length: Math.ceil(ids.length / maxNamed) }, (_, part) => {
      const named = ids.slice(part * maxNamed, (part + 1) * maxNamed);
      return auditEntry(newId('entry'), at, actor, { type: 'call.erased', server, serverName, calls: named, ground });
    });
  });
  return { calls: free, entries };
}
