import type { AuditEntry } from '#audit/entries/rules/entry';
import { Prisma } from '#platform/database/generated/prisma/client';
import { bytes, recordset, text, locks } from '#platform/database/sql';
import type { Database } from '#platform/database/database';
import { insertEntry, type Ledger } from '#audit/entries/store/entries';
import { elicitationTable } from '#requests/state/store/row';
import { readLive, type ServingNode } from '#platform/nodes/store';

/** A secret in the database: its key id, and a value that shows whether a node has the same one. */
export interface StoredSecret {
  kid: string;
  checkValue: Uint8Array;
  /** Time from which it may have sealed; null if it is only known. */
  activeAt: number | null;
  retiredAt: number | null;
  /** The keys kept from a retired secret, sealed. */
  retained: Uint8Array | null;
}

type EnrolledSecret = Pick<StoredSecret, 'kid' | 'checkValue'>;

/** Remaining uses of a secret. */
export interface Uses {
  /**
   * Number of requests, calls that passed, webhooks, devices, credentials, clients at issuers, authenticator apps, saved views and
   * keys sealed under it.
   */
  sealed: number;
  /** Links and tokens made under it that are still valid. */
  links: number;
}

/** Tables with a data key in each row. */
export const keyedTables = ['elicitation', 'passed_call'] as const;
export type KeyedTable = (typeof keyedTables)[number];

/** One row's keys as currently sealed. */
export interface SealedKeys {
  id: string;
  owner: Uint8Array;
  dataKey: Uint8Array;
}

/** Reads all facts that decide whether a secret may change, under a lock that keeps nodes from joining. */
export interface LoadedSecrets {
  stored: StoredSecret[];
  nodes: ServingNode[];
  uses(kid: string): Promise<Uses>;
}

type SecretChange = { activeAt: Date } | { retiredAt: Date; retained: Uint8Array };

/** Columns sealed for their place, and sealed again. */
const wrapped = elicitationTable.only('owner', 'dataKey');
const rewrapped = recordset({ id: text(), wasOwner: bytes(), wasKey: bytes(), ...wrapped.columns });

export const createSecrets = ({ prisma, evidence }: Ledger) => ({
  all: (): Promise<StoredSecret[]> => readSecrets(prisma),
  uses: (kid: string): Promise<Uses> => prisma.$transaction((tx) => countUses(tx, kid)),
  /** Stores the result of `decide`, with its entry, in one commit; stores nothing if it throws. */
  change: (decide: (hand: LoadedSecrets) => Promise<{ kid: string; change: SecretChange; entry: AuditEntry }>) =>
    prisma.$transaction(
      async (tx) => {
        await lockSecrets(tx);
        const [stored, nodes] = [await readSecrets(tx), await readLive(tx)];
        const { kid, change, entry } = await decide({ stored, nodes, uses: (of) => countUses(tx, of) });
        const data = 'retained' in change ? { ...change, retained: new Uint8Array(change.retained) } : change;
        await tx.secret.update({ where: { kid }, data });
        await insertEntry(tx, evidence.seal(entry, {}));
      },
      { timeout: 600_000 },
    ),
  /** The next requests, or calls that passed, after this id that are not completely sealed under this kid. */
  notUnder: (table: KeyedTable, kid: string, after: string, most: number): Promise<SealedKeys[]> =>
    prisma.$queryRaw<SealedKeys[]>`
      SELECT id, owner, data_key AS "dataKey" FROM ${Prisma.raw(table)}
       WHERE id > ${after} AND data_key IS NOT NULL
         AND (${kidIn('owner')} IS DISTINCT FROM ${kid} OR ${kidIn('data_key')} IS DISTINCT FROM ${kid})
       ORDER BY id LIMIT ${most}`,
  /** Stores the newly sealed keys of the rows that are unchanged since they were read; returns how many. */
  async rewrap(table: KeyedTable, keys: { was: SealedKeys; now: SealedKeys }[]): Promise<number> {
    const rows = keys.map(({ was, now }) =>
      rewrapped.toJson({ ...now, id: was.id, wasOwner: was.owner, wasKey: was.dataKey }),
    );
    return prisma.$executeRaw`
      UPDATE ${Prisma.raw(table)} e SET ${wrapped.assignments('k')}
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS k(${rewrapped.definition})
       WHERE e.id = k.id AND e.owner = decode(k.was_owner, 'base64') AND e.data_key = decode(k.was_key, 'base64')`;
  },
  async rewrapRetained(kid: string, retained: Uint8Array) {
    await prisma.secret.update({ where: { kid }, data: { retained: new Uint8Array(retained) } });
  },
});

/**
 * Records that a node or a command has these secrets, unless `check` throws on the existing ones; the first secret of a new
 * installation begins to seal. The node counts from then on, so that no secret changes without it. Nodes that start together
 * run one after the other.
 */
export const enrolSecrets = (
  { prisma }: Pick<Database, 'prisma'>,
  secrets: EnrolledSecret[],
  node: string | null,
  check: (stored: StoredSecret[]) => void,
): Promise<StoredSecret[]> =>
  prisma.$transaction(async (tx) => {
    await lockSecrets(tx);
    const before = await readSecrets(tx);
    check(before);
    const first = activeKid(before) ?? secrets[0]?.kid ?? '';
    const data = secrets.map(({ kid, checkValue }) => ({ kid, checkValue: new Uint8Array(checkValue) }));
    await tx.secret.createMany({ data, skipDuplicates: true });
    await tx.$executeRaw`UPDATE secret SET active_at = now() WHERE kid = ${first} AND active_at IS NULL`;
    if (node) await tx.node.create({ data: { id: node, kids: secrets.map(({ kid }) => kid), activeKid: first } });
    return readSecrets(tx);
  });

/** The secret that seals: the one activated last. */
export const activeKid = (stored: StoredSecret[]): string | undefined =>
  stored.filter(({ activeAt }) => activeAt !== null).sort((a, b) => Number(b.activeAt) - Number(a.activeAt))[0]?.kid;

export async function readSecrets(prisma: Pick<Database['prisma'], 'secret'>): Promise<StoredSecret[]> {
  const rows = await prisma.secret.findMany({ orderBy: [{ addedAt: 'asc' }, { kid: 'asc' }] });
  return rows.map(({ kid, checkValue, activeAt, retiredAt, retained }) => ({
    kid,
    checkValue,
    activeAt: activeAt?.getTime() ?? null,
    retiredAt: retiredAt?.getTime() ?? null,
    retained,
  }));
}

const lockSecrets = (tx: Pick<Prisma.TransactionClient, '$executeRaw'>) =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(${locks.secrets})`;

/** Counts uses, with a longer timeout: counting all rows may take longer than a verb's statement. */
async function countUses(tx: Prisma.TransactionClient, kid: string): Promise<Uses> {
  await tx.$executeRaw`SET LOCAL statement_timeout = 600000`;
  const [uses] = await tx.$queryRaw<Uses[]>`
    WITH later AS (
      SELECT min(s.active_at) AS at FROM secret s WHERE s.active_at > (SELECT active_at FROM secret WHERE kid = ${kid}))
    SELECT (SELECT count(*)::int FROM elicitation WHERE data_key IS NOT NULL
              AND (${kidIn('owner')} = ${kid} OR ${kidIn('data_key')} = ${kid}))
         + (SELECT count(*)::int FROM passed_call WHERE data_key IS NOT NULL
              AND (${kidIn('owner')} = ${kid} OR ${kidIn('data_key')} = ${kid}))
         + (SELECT count(*)::int FROM secret WHERE ${kidIn('retained')} = ${kid})
         + (SELECT count(*)::int FROM webhook WHERE ${kidIn('sealed')} = ${kid})
         + (SELECT count(*)::int FROM push_device WHERE ${kidIn('sealed')} = ${kid})
         + (SELECT count(*)::int FROM upstream_credential WHERE ${kidIn('sealed')} = ${kid})
         + (SELECT count(*)::int FROM connection_withdrawal WHERE ${kidIn('sealed')} = ${kid})
         + (SELECT count(*)::int FROM registered_client WHERE ${kidIn('sealed')} = ${kid})
         + (SELECT count(*)::int FROM totp WHERE ${kidIn('sealed')} = ${kid})
         + (SELECT count(*)::int FROM saved_view WHERE ${kidIn('sealed')} = ${kid})
         + (SELECT count(*)::int FROM push_key WHERE ${kidIn('sealed')} = ${kid}) AS sealed,
      (SELECT count(*)::int FROM elicitation e WHERE e.status = 'open' AND e.audience = 'requester'
          AND e.opened_at < (SELECT at + ${margin}::interval FROM later))
         + (SELECT count(*)::int FROM token t WHERE t.expires_at > now() AND t.elicitation_id IS NULL
          AND t.created_at < (SELECT at + ${margin}::interval FROM later))
         + (SELECT count(*)::int FROM link WHERE ${kidIn('sealed')} = ${kid} AND used_at IS NULL AND expires_at > now())
         AS links`;
  return uses ?? { sealed: 0, links: 0 };
}

/** Time during which a node that has not learned of a rotation makes links under the former secret. */
const margin = '30 seconds';

/** The kid at the beginning of a value that the ring sealed; null if there is none. */
const kidIn = (column: 'owner' | 'data_key' | 'retained' | 'sealed'): Prisma.Sql =>
  Prisma.raw(
    `CASE WHEN length(${column}) > 2 THEN encode(substring(${column} FROM 3 FOR get_byte(${column}, 1)), 'escape') END`,
  );
