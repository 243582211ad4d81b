import { auditEntry } from '#audit/entries/rules/entry';
import { newId, randomSecret } from '#platform/crypto/random';
import { sha256Hex } from '#platform/crypto/digest';
import type { ServerId } from '#platform/model/id';
import { isBuiltIn } from '#platform/model/names';
import { Problem, type FieldError } from '#platform/model/problem';
import { everyTool, type Alone, type ServerCaller } from '#people/directory/contract/user';
import { fitsWorkload, overlap, subjectPattern, subjectRule, type WorkloadTerms } from './contract.ts';
import type { StoredWorkload, WorkloadInUse } from './store.ts';
import type { DirectoryRecord } from '#people/directory/store/directory-record';
import { assertMayIn, mayIn } from '#people/directory/verbs/may';
import type { Engine } from '#platform/nodes/verbs/engine';
import {
  actorOf,
  guardPower,
  guardScope,
  issuerOf,
  type Administrator,
  type DirectoryEngine,
  type Scope,
  serverIn,
} from '#people/directory/verbs/directory';

export type WorkloadEngine = DirectoryEngine & Pick<Engine, 'workloads' | 'workloadIssuers'>;

/** A workload that will ask as this server. */
export interface NewWorkload extends WorkloadTerms {
  kid: string;
  server: ServerId;
}

export const newWorkload = (server: ServerId, terms: WorkloadTerms): NewWorkload => ({
  ...terms,
  server,
  kid: sha256Hex(randomSecret()).slice(0, 16),
});

/**
 * Lets a workload ask as a server, by tokens of an issuer that the operator has named; never as Assentry itself. Has the
 * problems of `guardPower`.
 */
export async function addWorkload(
  engine: WorkloadEngine,
  by: Administrator,
  { kid, server: id, ...terms }: NewWorkload,
): Promise<{ kid: string; alone: Alone | null }> {
  const directory = await engine.directory.read();
  const { permission, space } = workloadsOf(id);
  assertMayIn(directory, by, permission, space(directory));
  if (isBuiltIn(id)) throw new Problem('not-found');
  const { name } = serverIn(directory, id);
  const refuse = (others: readonly StoredWorkload[]): void => {
    const errors = [...faultsOf(engine, terms), ...overlapsOf(others, id, terms)];
    if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
  };
  const { also, alone } = guardPower(engine, by, workloadsOf(id));
  const at = engine.now();
  const event = { type: 'workload.added', server: name, workload: kid, ...terms } as const;
  await engine.workloads.add(
    { kid, server: { id, name }, ...terms, makerId: issuerOf(by), createdAt: at },
    auditEntry(newId('entry'), at, actorOf(by), event),
    refuse,
    also,
  );
  return { kid, alone: alone() };
}

/** The permission to change who asks as this server. */
const workloadsOf = (server: ServerId | undefined): Scope => ({
  permission: 'change-keys',
  space: ({ servers }) => servers.find(({ id }) => id === server)?.spaceId,
});

const faultsOf = ({ workloadIssuers }: WorkloadEngine, { issuer, audience, subject }: WorkloadTerms): FieldError[] => [
  ...(workloadIssuers.includes(issuer)
    ? []
    : [{ path: ['issuer'], message: 'Name this issuer in ASSENTRY_WORKLOAD_ISSUERS first, as it writes itself.' }]),
  ...(audience === '' ? [{ path: ['audience'], message: 'Give the audience of the tokens.' }] : []),
  ...(subjectPattern.test(subject) ? [] : [{ path: ['subject'], message: subjectRule }]),
];

/** A token that is for two servers is refused: who looks after one of them must not end the workloads of another so. */
function overlapsOf(all: readonly StoredWorkload[], id: ServerId, terms: WorkloadTerms): FieldError[] {
  const others = all.filter(({ server, removedAt }) => server.id !== id && removedAt === null);
  const message = 'Name less: a workload of another server is among these subjects, and would ask as neither.';
  return others.some((other) => overlap(terms, other)) ? [{ path: ['subject'], message }] : [];
}

/** Workloads of the servers whose keys the reader may change, each with who added it. */
export async function listWorkloads({ workloads, directory }: WorkloadEngine, by: Administrator) {
  const [stored, record] = await Promise.all([workloads.list(), directory.read()]);
  const makers = new Map(record.users.map((user) => [user.id, user]));
  return stored
    .filter(({ server }) => mayChange(record, by, server.id))
    .map(({ makerId, ...workload }) => ({ ...workload, maker: toShownMaker(makerId && makers.get(makerId)) }));
}

function mayChange(directory: DirectoryRecord, by: Administrator, server: ServerId): boolean {
  if (by === 'operator' || by.kind !== 'user') return true;
  const { permission, space } = workloadsOf(server);
  return mayIn(directory, by, permission, space(directory));
}

const toShownMaker = (user: DirectoryRecord['users'][number] | null | undefined) =>
  user ? { id: user.id, name: user.name, disabled: user.disabledAt !== null } : null;

/** At every node at once. Removing it again changes nothing. One of another space is refused as one that is absent. */
export async function removeWorkload(engine: WorkloadEngine, by: Administrator, kid: string): Promise<void> {
  const [stored, record] = await Promise.all([engine.workloads.list(), engine.directory.read()]);
  const workload = stored.find((candidate) => candidate.kid === kid);
  const scope = workloadsOf(workload?.server.id);
  assertMayIn(record, by, scope.permission, scope.space(record));
  if (!workload) throw new Problem('not-found', { detail: 'Give the id of an existing workload.' });
  const at = engine.now();
  const event = { type: 'workload.removed', server: workload.server.name, workload: kid } as const;
  const entry = auditEntry(newId('entry'), at, actorOf(by), event);
  await engine.workloads.remove(kid, at, entry, guardScope(engine, by, scope));
}

/** Milliseconds between two records of a use. */
const touchAfter = 60_000;

/** The server as which this token may ask; or why not, for the log alone. */
export async function findWorkload(
  { workloads, readWorkload, now }: Pick<Engine, 'workloads' | 'readWorkload' | 'now'>,
  text: string,
  address: string | undefined,
): Promise<{ server: ServerCaller } | { why: string }> {
  const checked = await readWorkload(text);
  if (checked.state === 'refused') return { why: checked.why };
  const fitting = (await workloads.ofIssuer(checked.token.issuer)).filter((terms) =>
    fitsWorkload(terms, checked.token),
  );
  const [workload, ...others] = fitting;
  if (!workload) return { why: 'workload-not-bound' };
  // It would be chance as which of them it asks.
  if (others.some(({ server }) => server.id !== workload.server.id)) return { why: 'workload-ambiguous' };
  const at = now();
  if ((workload.lastUsedAt ?? 0) + touchAfter <= at) await workloads.touch(workload.kid, at);
  return { server: callerOf(workload, checked.token.expiresAt, address) };
}

/** The same as of now; null if it was removed. */
export async function currentWorkload(
  { workloads }: Pick<Engine, 'workloads'>,
  { proof, address }: ServerCaller,
): Promise<ServerCaller | null> {
  const workload = proof && (await workloads.byKid(proof.kid));
  return workload ? callerOf(workload, proof.expiresAt, address) : null;
}

const callerOf = (
  { kid, server, makerId, epoch }: WorkloadInUse,
  expiresAt: number | null,
  address: string | undefined,
): ServerCaller => ({
  kind: 'server',
  ...server,
  tools: everyTool,
  ...(makerId && { maker: makerId }),
  proof: { kid, ...epoch, expiresAt, isWorkload: true },
  address,
});
