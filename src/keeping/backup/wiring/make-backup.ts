import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, writeFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { toBase64 } from '#audit/tree/rules/notes';
import { auditEntry } from '#audit/entries/rules/entry';
import { findDataDirectory } from '#platform/config/data-directory';
import { shareEnvironment } from '#platform/config/env';
import { newId } from '#platform/crypto/random/random';
import { Problem } from '#platform/model/problem/problem';
import { dumpDatabase } from '../store/dump-database.ts';
import { recordBackup } from '../store/last-backup.ts';
import { queryIn } from '#platform/database/connection/query';
import { readLatest } from '#audit/tree/store';
import { readSecrets, type StoredSecret } from '../../secrets/store.ts';
import { directoryOf } from '#server/directory-of/directory-of';
import { asOwner } from '#server/installation';
import { writeManifest, type Fingerprint, type Manifest } from './manifest.ts';
import { givenSecrets, withOwned, type BackupOptions, type OwnedDatabase } from './open-owned.ts';

/** The files of a backup. */
export const backupFiles = { dump: 'database.dump', manifest: 'manifest.json' } as const;

/**
 * Writes one moment of the database to this directory, under a MAC of the installation, while nodes go on. The manifest
 * comes last: without it there is no backup. An entry says so first.
 */
export async function makeBackup(options: BackupOptions, directory: string): Promise<Manifest> {
  if (options.databaseUrl === null) await findDataDirectory(directoryOf(options));
  const secrets = await givenSecrets(options);
  await makeEmpty(directory);
  return asOwner(options, (ownerUrl) =>
    withOwned(ownerUrl, secrets, async (owned) => {
      await appendExported(owned);
      const file = path.join(directory, backupFiles.dump);
      try {
        const manifest = await dump(owned, ownerUrl, file);
        const text = writeManifest(owned.ring, manifest);
        await writeFile(path.join(directory, backupFiles.manifest), text, { mode: 0o600, flush: true });
        await recordBackup(owned.database.prisma, new Date(manifest.at));
        return manifest;
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
    }),
  );
}

/** The length and the digest of an open file, whatever it is called by now. */
export async function fingerprint(file: FileHandle): Promise<Fingerprint> {
  const hash = createHash('sha256');
  for await (const part of file.createReadStream({ start: 0, autoClose: false })) hash.update(part as Buffer);
  return { bytes: (await file.stat()).size, sha256: hash.digest('hex') };
}

async function makeEmpty(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).length === 0) return;
  throw new Problem('already-exists', { detail: `Give a new or empty directory: ${directory} has files.` });
}

async function appendExported({ accessLog, now }: OwnedDatabase): Promise<void> {
  const at = now();
  const event = { type: 'access.exported' as const, what: 'backup', about: [], count: 1, since: at };
  await accessLog.append(auditEntry(newId('entry'), at, { kind: 'operator' }, event));
}

async function dump({ database }: OwnedDatabase, ownerUrl: string, file: string): Promise<Manifest> {
  const target = { ownerUrl, env: shareEnvironment().theirs };
  const { at, origin, head, secrets } = await dumpDatabase(database, target, file, async (tx, at) => {
    const { name: origin } = await tx.auditOrigin.findFirstOrThrow();
    return { at, origin, head: await readLatest(queryIn(tx)), secrets: await readSecrets(tx) };
  });
  const written = await open(file);
  try {
    return {
      v: 1,
      at: at.toISOString(),
      origin,
      size: head?.size ?? 0,
      checkpoint: head?.note ?? null,
      secrets: secrets.filter(isNeeded).map(({ kid, checkValue }) => ({ kid, check: toBase64(checkValue) })),
      dump: await fingerprint(written),
    };
  } finally {
    await written.close();
  }
}

/** What a secret has sealed needs it until it is retired. */
const isNeeded = ({ activeAt, retiredAt }: StoredSecret): boolean => activeAt !== null && retiredAt === null;
