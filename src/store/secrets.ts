import type { Database } from './database/database.ts';
import { locks } from './database/locks.ts';

/** A secret as the database knows it: by its key id, and by what tells whether a node holds the same. */
export interface StoredSecret {
  kid: string;
  checkValue: Uint8Array;
  /** Since when it may have sealed; null for one that has only been made known. */
  activeAt: number | null;
  retiredAt: number | null;
}

export type EnrolledSecret = Pick<StoredSecret, 'kid' | 'checkValue'>;

export interface Secrets {
  all(): Promise<StoredSecret[]>;
  /**
   * Notes that this node knows these and seals with the first, unless `check` throws on what is there already.
   * Of several nodes that start at once each sees what the one before left.
   */
  enrol(secrets: EnrolledSecret[], check: (stored: StoredSecret[]) => void): Promise<void>;
}

export function createSecrets({ prisma }: Pick<Database, 'prisma'>): Secrets {
  return {
    all: () => readAll(prisma),
    enrol: (secrets, check) =>
      prisma.$transaction(async (tx) => {
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(${locks.secrets})`;
        check(await readAll(tx));
        const data = secrets.map(({ kid, checkValue }) => ({ kid, checkValue: new Uint8Array(checkValue) }));
        await tx.secret.createMany({ data, skipDuplicates: true });
        const first = { kid: secrets[0]?.kid ?? '', activeAt: null };
        await tx.secret.updateMany({ where: first, data: { activeAt: new Date() } });
      }),
  };
}

async function readAll(prisma: Pick<Database['prisma'], 'secret'>): Promise<StoredSecret[]> {
  const rows = await prisma.secret.findMany({ orderBy: [{ addedAt: 'asc' }, { kid: 'asc' }] });
  return rows.map(({ kid, checkValue, activeAt, retiredAt }) => ({
    kid,
    checkValue,
    activeAt: activeAt?.getTime() ?? null,
    retiredAt: retiredAt?.getTime() ?? null,
  }));
}
