import { createEvidence } from '#audit/entries/rules/evidence';
import { findSecret } from '#platform/config/secrets/secret-file';
import { missingSecrets, type NamedSecret } from '#platform/config/secrets/secrets';
import type { NamedWitness } from '#platform/config/outlets/witnesses';
import type { KeyRing } from '#platform/crypto/key-ring/key-ring';
import { Problem } from '#platform/model/problem/problem';
import { openDatabase, type Database } from '#platform/database/database/database';
import { pendingMigrations } from '#platform/database/migrate/migrate';
import { createStore, type Store } from '#platform/database/store';
import { directoryOf } from '#server/directory-of/directory-of';
import type { OwnerOptions } from '#server/installation';
import { openClock } from '#server/keys/open-clock';
import { openKeyRing } from '#server/keys/open-key-ring';

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
