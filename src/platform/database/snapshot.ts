import { Prisma } from './generated/prisma/client.ts';
import type { RowDigests } from '#audit/entries/rules/evidence';
import type { TurnedEntry } from '#audit/verify/rules';
import { readGrants } from '#requests/grants/store/grants';
import {
  breakGlassDigest,
  lookBackDigest,
  lookDigest,
  revisionDigest,
  openSelected,
  selection,
  type SelectedElicitation,
  type ElicitationRow,
  elicitationTable,
} from '#requests/state/store/row';
import { holdDigest } from '#keeping/content/store';
import { stopDigests } from '#requests/stops/store';
import { digestsOf } from '#policies/store/in-force';
import { delegationDigest, readDelegations } from '#people/delegations/store';
import { grantTable } from '#requests/grants/store/tables';
import { remarkTable, voteTable } from '#requests/deliberation/store/tables';
import { toolCallTable } from '#requests/claims/store';
import { passkeyDigest, toPasskey } from '#access/passkeys/store';
import { toTotp, totpDigest } from '#access/factors/store/second-factors';
import { readConnecting, readIdentities, type LinkedIdentity } from '#people/accounts/store';
import { directoryDigests, type DirectoryRows } from '#people/directory/store/tables';
import type { Database } from './database.ts';
import { logSnapshotIn, type LogSnapshot } from '#audit/verify/store';

/** Stored rows with their entries in the log, in order. */
export interface StatePage {
  rows: RowDigests;
  entries: TurnedEntry[];
  /** For a page of requests: the rows themselves. */
  requests: ElicitationRow[];
  /** Signatures of devices, by the ids of votes. */
  signatures: ReadonlyMap<string, string>;
  /** Start of the next page; null after the last. */
  next: string | null;
}

type Reading = Prisma.TransactionClient;
const pageSize = 500;

const everyRow: Record<keyof DirectoryRows, 'all'> = {
  users: 'all',
  groups: 'all',
  spaces: 'all',
  roles: 'all',
  servers: 'all',
  keys: 'all',
  scimTokens: 'all',
  adminTokens: 'all',
  workloads: 'all',
};

/** Everything that follows from the log, in one snapshot. */
const stateSnapshotIn = (tx: Reading) => ({
  /** Requests in the order of their ids, with votes and everything else that belongs to them. */
  requestPage: (after: string): Promise<StatePage> => requestPage(tx, after),
  async callPage(after: string): Promise<StatePage> {
    const calls = await tx.toolCall.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: pageSize });
    return subjectPage(
      tx,
      calls.map((row) => [row.id, toolCallTable.digest(row as Stored<typeof toolCallTable>)] as const),
    );
  },
  async grantPage(after: string): Promise<StatePage> {
    const grants = await readGrants(tx, after, pageSize);
    return subjectPage(
      tx,
      grants.map((row) => [row.id, grantTable.digest(row)] as const),
    );
  },
  /** People, their passkeys and authenticator apps, groups, spaces, roles, servers, keys, delegations, policies, stops and holds. */
  house: (): Promise<RowDigests> => readHouse(tx),
  /** The entries that added or removed passkeys, in the order of the log. */
  async passkeyEntries(): Promise<Uint8Array[]> {
    const rows = await tx.$queryRaw<{ body: Uint8Array }[]>`
      SELECT a.body FROM audit_entry a LEFT JOIN audit_leaf l ON l.entry_id = a.id
       WHERE a.type LIKE 'user.passkey-%' ORDER BY l.idx NULLS LAST, a.seq`;
    return rows.map(({ body }) => body);
  },
  /** Identities of people at their identity providers, each with all names of its person. */
  identities: (): Promise<LinkedIdentity[]> => readIdentities(tx),
  /** The entries that connected identities, in the order of the log. */
  connectingEntries: (): Promise<Uint8Array[]> => readConnecting(tx),
  /** Later entries about them, in the order of the log. */
  houseEntries: (
    after: { idx: number; seq: bigint } | null,
  ): Promise<(TurnedEntry & { idx: number })[]> => tx.$queryRaw`
    SELECT a.id, a.body, a.mac, coalesce(l.idx, ${lastPlace})::float8 AS idx, a.seq
      FROM audit_entry a LEFT JOIN audit_leaf l ON l.entry_id = a.id
     WHERE a.elicitation_id IS NULL
       AND (coalesce(l.idx, ${lastPlace}), a.seq) > (${after?.idx ?? -1}::bigint, ${after?.seq ?? -1n}::bigint)
     ORDER BY coalesce(l.idx, ${lastPlace}), a.seq LIMIT 5000`,
  /**
   * A request, call, standing approval, policy, stop, hold, passkey or authenticator app that the log mentions and the database
   * lacks, or null.
   */
  async gone(): Promise<string | null> {
    const [row] = await tx.$queryRaw<{ id: string }[]>`
      SELECT elicitation_id AS id FROM audit_entry a
       WHERE elicitation_id IS NOT NULL AND NOT EXISTS (SELECT FROM elicitation e WHERE e.id = a.elicitation_id)
      UNION ALL
      SELECT subject_id FROM audit_entry a
       WHERE subject_id IS NOT NULL AND NOT EXISTS (SELECT FROM tool_call c WHERE c.id = a.subject_id)
         AND NOT EXISTS (SELECT FROM app_grant g WHERE g.id = a.subject_id)
         AND NOT EXISTS (SELECT FROM policy p WHERE p.id = a.subject_id)
         AND NOT EXISTS (SELECT FROM stop WHERE stop.id = a.subject_id)
         AND NOT EXISTS (SELECT FROM hold WHERE hold.id = a.subject_id)
         AND NOT EXISTS (SELECT FROM passkey k WHERE k.id = a.subject_id)
         AND NOT EXISTS (SELECT FROM totp t WHERE t.id = a.subject_id)
      LIMIT 1`;
    return row?.id ?? null;
  },
});

export type StateSnapshot = ReturnType<typeof stateSnapshotIn>;

async function readHouse(tx: Reading): Promise<RowDigests> {
  const directory = await directoryDigests(tx, everyRow);
  const policies = await tx.policy.findMany({ include: { versions: true }, orderBy: { id: 'asc' } });
  const delegations = (await readDelegations(tx)).map(delegationDigest);
  const stops = await stopDigests(tx);
  const passkeys = await tx.passkey.findMany({ orderBy: { id: 'asc' } });
  const totps = await tx.totp.findMany({ orderBy: { id: 'asc' } });
  const holds = (await tx.hold.findMany({ orderBy: { id: 'asc' } })).map((hold) => ({ [hold.id]: holdDigest(hold) }));
  return Object.assign(
    {},
    directory,
    ...delegations,
    stops,
    ...holds,
    ...passkeys.map((row) => passkeyDigest(toPasskey(row))),
    ...totps.map((row) => totpDigest(toTotp(row))),
    ...policies.map((row) => digestsOf(row, row.versions)),
  );
}

/** Place of entries without a position, which come last. */
const lastPlace = Prisma.sql`9007199254740991::bigint`;

async function requestPage(tx: Reading, after: string): Promise<StatePage> {
  const selected = await tx.$queryRaw<SelectedElicitation[]>`
    SELECT ${selection} FROM elicitation e LEFT JOIN server s ON s.id = e.server_id WHERE e.id > ${after}
     ORDER BY e.id LIMIT ${pageSize}`;
  const ids = selected.map(({ id }) => id);
  const digests = selected.map((row) => [row.id, elicitationTable.digest(elicitationTable.read(row))] as const);
  const rows = Object.assign(Object.fromEntries(digests), ...(await hangingOn(tx, ids))) as RowDigests;
  const signed = await tx.vote.findMany({ where: { elicitationId: { in: ids }, signature: { not: null } } });
  return {
    rows,
    entries: await entriesOf(tx, 'elicitation_id', ids),
    requests: selected.map(openSelected),
    signatures: new Map(signed.map(({ id, signature }) => [id, signature ?? ''])),
    next: lastOf(ids),
  };
}

/** Votes, remarks, replaced questions and emergency overrides of these requests. */
async function hangingOn(tx: Reading, ids: string[]): Promise<RowDigests[]> {
  const where = { elicitationId: { in: ids } };
  const votes = await tx.vote.findMany({ where });
  const remarks = await tx.remark.findMany({ where });
  const revisions = await tx.revision.findMany({ where });
  const broken = await tx.breakGlass.findMany({ where });
  const looks = await tx.look.findMany({ where });
  const lookBacks = await tx.lookBack.findMany({ where });
  return [
    ...votes.map((row) => ({ [row.id]: voteTable.digest(row) })),
    ...remarks.map((row) => ({ [row.id]: remarkTable.digest(row as Stored<typeof remarkTable>) })),
    ...revisions.map(revisionDigest),
    ...looks.map(lookDigest),
    ...lookBacks.map(lookBackDigest),
    ...broken.map(breakGlassDigest),
  ];
}

/** A row as Prisma reads it, without distinct types of texts. */
type Stored<T extends { digest(row: never): string }> = Parameters<T['digest']>[0];

async function subjectPage(tx: Reading, rows: (readonly [string, string])[]): Promise<StatePage> {
  const ids = rows.map(([id]) => id);
  const entries = await entriesOf(tx, 'subject_id', ids);
  return { rows: Object.fromEntries(rows), entries, requests: [], signatures: new Map(), next: lastOf(ids) };
}

const lastOf = (ids: string[]): string | null => (ids.length < pageSize ? null : (ids.at(-1) ?? null));

const entriesOf = (tx: Reading, column: 'elicitation_id' | 'subject_id', ids: string[]): Promise<TurnedEntry[]> =>
  tx.$queryRaw`
    SELECT a.id, a.body, a.mac, a.seq FROM audit_entry a LEFT JOIN audit_leaf l ON l.entry_id = a.id
     WHERE ${Prisma.raw(`a.${column}`)} = ANY(${ids}::text[]) ORDER BY l.idx NULLS LAST, a.seq`;

/** The log and the state that follows from it, in one snapshot, however long reading takes. */
export type Snapshot = LogSnapshot & StateSnapshot;

export type ReadSnapshot = <T>(read: (snapshot: Snapshot) => Promise<T>) => Promise<T>;

/** Milliseconds allowed for reading a long log. */
const maxSnapshotMs = 6 * 3_600_000;

/** Reads from one snapshot, without later commits, which do not wait for it. */
export const createReadSnapshot =
  ({ prisma }: Pick<Database, 'prisma'>): ReadSnapshot =>
  (read) =>
    prisma.$transaction(
      async (tx) => {
        await tx.$executeRaw`SET LOCAL statement_timeout = 0`;
        return read(await snapshotIn(tx));
      },
      { isolationLevel: 'RepeatableRead', timeout: maxSnapshotMs },
    );

/** Snapshot of this transaction. */
export const snapshotIn = async (tx: Prisma.TransactionClient): Promise<Snapshot> => ({
  ...(await logSnapshotIn(tx)),
  ...stateSnapshotIn(tx),
});
