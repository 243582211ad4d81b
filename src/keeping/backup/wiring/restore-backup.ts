import { open, readFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { keptHead, type KeptHead } from '#audit/tree/rules/checkpoint';
import { auditEntry } from '#audit/entries/rules/entry';
import type { DatabaseRestored } from '#audit/entries/rules/events';
import { checkpointIn } from '#audit/receipts/rules';
import { latestCopy } from '#platform/config/heads/head-copies';
import { makeDataDirectory } from '#platform/config/data-directory';
import { shareEnvironment } from '#platform/config/env';
import { createKeyRing } from '#platform/crypto/key-ring/key-ring';
import { newId } from '#platform/crypto/random/random';
import { checkHead } from '#audit/tree/verbs';
import { verifyLog, type LogReport } from '#audit/verify/verbs/verify-log';
import { invalidInput, Problem } from '#platform/model/problem/problem';
import { restoreDump } from '../store/restore-dump.ts';
import { migrateDatabase, readMigrations } from '#platform/database/migrate/migrate';
import { directoryOf } from '#server/directory-of/directory-of';
import { asOwner, chooseHeadFile } from '#server/installation';
import { openWitnesses } from '#audit/tree/wiring/witnesses';
import { prepareDatabase, type LoginRequest, type PreparedDatabase } from '#server/database/prepare-database';
import { backupFiles, fingerprint } from './make-backup.ts';
import { latestSeen } from './latest-seen.ts';
import { openManifest, type Manifest } from './manifest.ts';
import { givenSecrets, withOwned, type BackupOptions, type OwnedDatabase } from './open-owned.ts';

interface RestoreRequest {
  directory: string;
  /** Receipts and checkpoints that were kept elsewhere. */
  kept: string[];
  /** The operator declares that the backup is older than what was there. */
  isOlder: boolean;
  login: LoginRequest;
}

interface RestoredBackup {
  manifest: Manifest;
  report: LogReport;
  /** The longest head that was known before, if the backup is older. */
  lost: KeptHead | null;
  /** Where the file with that head is now; null if there was none. */
  headAside: string | null;
  /** The login of the nodes; null for an embedded database, which makes it when a node starts. */
  prepared: PreparedDatabase | null;
}

/**
 * Restores a backup into an empty database and verifies log and rows; only then the login of the nodes gets its rights.
 * Refuses a backup that this installation did not write or that was changed, and one that is older than a known head,
 * unless that is declared: then an entry says what is lost.
 */
export async function restoreBackup(options: BackupOptions, request: RestoreRequest): Promise<RestoredBackup> {
  const secrets = await givenSecrets(options);
  const manifest = openManifest(createKeyRing(secrets), await readManifest(request.directory));
  const headFile = chooseHeadFile(options);
  const witnessed = await latestSeen(openWitnesses(options.witnesses), manifest.origin);
  const keptHere = (await headFile?.read()) ?? null;
  const copy = options.logCopies ? await latestCopy(options.logCopies, keptHead) : null;
  const noted = [keptHere, copy?.head.note ?? null].filter((note) => note !== null);
  const heads = readHeads([...request.kept, ...witnessed, ...noted], manifest);
  const lost = heads.find(({ size }) => size > manifest.size) ?? null;
  if (lost && !request.isOlder) throw refuseOlder(manifest, lost);
  const file = await open(path.join(request.directory, backupFiles.dump));
  try {
    await assertUnchanged(file, manifest);
    if (options.databaseUrl === null) await makeDataDirectory(directoryOf(options));
    return await asOwner(options, async (ownerUrl) => {
      await restoreDump({ ownerUrl, env: shareEnvironment().theirs }, file.fd);
      await migrateDatabase(ownerUrl, await readMigrations());
      const report = await withOwned(ownerUrl, secrets, async (owned) => {
        const verified = await verify(owned, heads, manifest);
        await appendRestored(owned, manifest, lost);
        return verified;
      });
      const prepared = options.databaseUrl === null ? null : await prepareDatabase(ownerUrl, request.login);
      const headAside = lost && keptHere !== null ? ((await headFile?.putAside()) ?? null) : null;
      return { manifest, report, lost, headAside, prepared };
    });
  } finally {
    await file.close();
  }
}

const readManifest = (directory: string): Promise<string> =>
  readFile(path.join(directory, backupFiles.manifest), 'utf8').catch((cause: unknown) => {
    const message = `Give the directory of a backup: there is no ${backupFiles.manifest} in it.`;
    throw new Problem('INVALID_INPUT', { errors: [{ path: [directory], message }], cause });
  });

/** The longest first. They can only prevent a restore, so it does not matter who signed them. */
function readHeads(kept: string[], { origin }: Manifest): KeptHead[] {
  const heads = kept.map((text) => keptHead(checkpointIn(text) ?? text));
  const ours = heads.filter((head) => head?.origin === origin) as KeptHead[];
  if (ours.length === heads.length) return ours.sort((head, other) => other.size - head.size);
  const message = `Give receipts and checkpoints of the log ${origin}, to which the backup belongs.`;
  throw invalidInput(['kept'], message);
}

async function assertUnchanged(file: FileHandle, { dump }: Manifest): Promise<void> {
  const { bytes, sha256 } = await fingerprint(file);
  if (bytes === dump.bytes && sha256 === dump.sha256) return;
  throw new Problem('proof-invalid', {
    detail: `Use another backup: ${backupFiles.dump} of this one was changed or is incomplete.`,
  });
}

/** The log and its rows, and that the log goes on from each head that the backup contains. */
async function verify(owned: OwnedDatabase, heads: KeptHead[], { size }: Manifest): Promise<LogReport> {
  const report = await verifyLog(owned, { keys: [], kept: [] });
  if (report.fault !== null) throw doNotServe(report.fault);
  for (const head of heads.filter((kept) => kept.size <= size)) {
    await checkHead(owned, head).catch((error: Error) => {
      throw doNotServe(error.message);
    });
  }
  return report;
}

const doNotServe = (fault: string): Problem =>
  new Problem('proof-invalid', {
    detail: `Use another backup, and start no node on this database, in which you can look for the cause: ${fault}`,
  });

async function appendRestored({ accessLog, now }: OwnedDatabase, { at, size }: Manifest, lost: KeptHead | null) {
  const event: DatabaseRestored = {
    type: 'database.restored',
    madeAt: Date.parse(at),
    size,
    ...(lost && { lost: { size: lost.size, root: Buffer.from(lost.root).toString('base64') } }),
  };
  await accessLog.append(auditEntry(newId('entry'), now(), { kind: 'operator' }, event));
}

const refuseOlder = ({ at, size }: Manifest, lost: KeptHead): Problem =>
  new Problem('proof-invalid', {
    detail: `Give a newer backup, or declare with --older that you have none: this one of ${at} ends after ${size} entries of the log, and a head over ${lost.size} is known. Nothing was restored.`,
  });
