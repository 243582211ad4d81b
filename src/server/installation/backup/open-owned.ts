import { createEvidence } from '#core/audit/evidence';
import { findSecret } from '../../config/secret-file.ts';
import { missingSecrets, type NamedSecret } from '../../config/secrets.ts';
import type { NamedWitness } from '../../config/witnesses.ts';
import type { KeyRing } from '#core/crypto/key-ring';
import { Problem } from '#protocol/model/problem';
import { openDatabase, type Database } from '../../store/database/database.ts';
import { pendingMigrations } from '../../store/database/migrate.ts';
import { createStore, type Store } from '../../store/store.ts';
import { directoryOf } from '../directory-of.ts';
import type { OwnerOptions } from '../installation.ts';
import { openClock } from '../open-clock.ts';
import { openKeyRing } from '../open-key-ring.ts';

/** A database with the rights of its owner, and its log. */
export type OwnedDatabase = Store & { database: Database; ring: KeyRing; now: () => number };

export type BackupOptions = OwnerOptions & { secrets: NamedSecret[] | null; witnesses?: NamedWitness[] };

/** The secrets as they are given; problem `config-invalid` if there are none, and none is made. */
export async function givenSecrets(options: BackupOptions): Promise<NamedSecret[]> {
  if (options.secrets !== null) return options.secrets;
  if (options.databaseUrl !== null) throw missingSecrets();
  return findSecret(directoryOf(options));
}

/** Acts on the owner's database with its secrets. Problem `config-invalid` names one that is missing or differs. */
export async function withOwned<T>(
  ownerUrl: string,
  secrets: NamedSecret[],
  act: (owned: OwnedDatabase) => Promise<T>,
): Promise<T> {
  const database = openDatabase(ownerUrl, { poolSize: 3 });
  try {
    const [pending] = await pendingMigrations(database.prisma);
    if (pending !== undefined) throw notApplied(pending);
    const ring = await openKeyRing(database, secrets, null);
    const store = createStore(database, { evidence: createEvidence(ring, () => {}), onCommit() {} });
    return await act({ ...store, database, ring, now: (await openClock(database)).now });
  } finally {
    await database.close();
  }
}

const notApplied = (migration: string): Problem =>
  new Problem('migration-failed', {
    detail: `Use the version of Assentry that the nodes run, or "assentry migrate" first: the migration ${migration} is not applied yet.`,
  });
