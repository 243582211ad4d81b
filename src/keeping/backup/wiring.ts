import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, writeFile, type FileHandle, readFile } from 'node:fs/promises';
import path from 'node:path';
import { toBase64, cosignaturesOn, type WitnessAddress } from '#audit/tree/rules/notes';
import { auditEntry } from '#audit/entries/rules/entry';
import { findDataDirectory, makeDataDirectory } from '#platform/config/data-directory';
import { shareEnvironment } from '#platform/config/env';
import { newId, equalBytes } from '#platform/crypto/random';
import { Problem, invalidInput } from '#platform/model/problem';
import { dumpDatabase, recordBackup, restoreDump } from './store.ts';
import { queryIn } from '#platform/database/connection';
import { readLatest } from '#audit/tree/store';
import { readSecrets, type StoredSecret } from '../secrets/store.ts';
import { directoryOf } from '#server/directory-of';
import { asOwner, chooseHeadFile, type OwnerOptions } from '#server/installation';
import { keptHead, type KeptHead } from '#audit/tree/rules/checkpoint';
import type { DatabaseRestored } from '#audit/entries/rules/events';
import { checkpointIn } from '#audit/receipts/rules';
import { latestCopy } from '#platform/config/heads';
import {
  createKeyRing,
  checkValue,
  kidPattern,
  type KeyRing,
  holdsMac,
  kidOfMac,
  ringMac,
} from '#platform/crypto/key-ring';
import { checkHead } from '#audit/tree/verbs';
import { verifyLog, type LogReport } from '#audit/verify/verbs/verify-log';
import { migrateDatabase, readMigrations, pendingMigrations } from '#platform/database/migrate';
import { openWitnesses } from '#audit/tree/wiring/witnesses';
import { prepareDatabase, type LoginRequest, type PreparedDatabase } from '#server/database';
import { sendRequest } from '#platform/http/client/outgoing-request';
import { sha256Hex, canonicalJson } from '#platform/crypto/digest';
import { createEvidence } from '#audit/entries/rules/evidence';
import { findSecret, missingSecrets, type NamedSecret } from '#platform/config/secrets';
import type { NamedWitness } from '#platform/config/outlets';
import { openDatabase, type Database } from '#platform/database/database';
import { createStore, type Store } from '#platform/database/store';
import { openClock, openKeyRing } from '#server/keys';

/** The files of a backup. */
const backupFiles = { dump: 'database.dump', manifest: 'manifest.json' } as const;

/**
 * Writes a snapshot of the database to this directory, under a MAC of the installation, while nodes continue. The manifest
 * comes last: without it there is no backup. An entry records it first.
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

/** Length and digest of an open file, whatever its present name. */
async function fingerprint(file: FileHandle): Promise<Fingerprint> {
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

/** Does it still seal stored values, because it was active and is not retired? */
const isNeeded = ({ activeAt, retiredAt }: StoredSecret): boolean => activeAt !== null && retiredAt === null;

interface RestoreRequest {
  directory: string;
  /** Receipts and checkpoints kept elsewhere. */
  kept: string[];
  /** Set if the operator declares that the backup is older than the lost database. */
  isOlder: boolean;
  login: LoginRequest;
}

interface RestoredBackup {
  manifest: Manifest;
  report: LogReport;
  /** The longest head known before, if the backup is older. */
  lost: KeptHead | null;
  /** New path of the file with that head; null if there was none. */
  headAside: string | null;
  /** The login of the nodes; null for an embedded database, which makes it when a node starts. */
  prepared: PreparedDatabase | null;
}

/**
 * Restores a backup into an empty database and verifies log and rows; only then the login of the nodes gets its rights. Refuses
 * a backup that this installation did not write or that was changed, and one that is older than a known head, unless that is
 * declared: then an entry names the loss.
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

/** Known heads, the longest first. They can only prevent a restore, so their signers do not matter. */
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

/** Verifies the log and its rows, and that the log continues each head that the backup contains. */
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

/** Bytes; a checkpoint with 32 signatures needs less. */
const maxAnswerBytes = 64 * 1024;

/**
 * The latest checkpoint of this log that each witness has cosigned, if any. Problem `unavailable` names a witness that does not
 * answer: it may know the longest log.
 */
export async function latestSeen(witnesses: WitnessAddress[], origin: string): Promise<string[]> {
  const notes = await Promise.all(witnesses.map((witness) => ask(witness, origin)));
  return notes.filter((note) => note !== null);
}

async function ask({ url, verifier }: WitnessAddress, origin: string): Promise<string | null> {
  const address = `${url}/${sha256Hex(origin)}/checkpoint`;
  const response = await sendRequest(address, {}, { maxBytes: maxAnswerBytes }).catch((cause: unknown) => {
    throw silent(verifier.name, cause);
  });
  if (response.status === 404) return null;
  const note = response.ok ? await response.text().catch(() => '') : '';
  if (cosignaturesOn(note, [verifier])?.length) return note;
  throw silent(verifier.name);
}

const silent = (name: string, cause?: unknown): Problem =>
  new Problem('unavailable', {
    detail: `See to it that the witness ${name} answers, or leave it out of ASSENTRY_WITNESSES: it may have seen more of the log than the backup holds.`,
    cause,
  });

/** Description of a backup, next to the dump, under a MAC of the installation. */
export interface Manifest {
  v: 1;
  /** Moment of the dump. */
  at: string;
  /** The name of the log, and its last checkpoint. */
  origin: string;
  size: number;
  checkpoint: string | null;
  /** Secrets that open its content; `check` shows whether a secret is the same. */
  secrets: { kid: string; check: string }[];
  dump: Fingerprint;
}

/** Size and digest of a file. */
interface Fingerprint {
  bytes: number;
  sha256: string;
}

export const writeManifest = (ring: KeyRing, manifest: Manifest): string =>
  `${JSON.stringify({ ...manifest, mac: ringMac(ring, 'backup', bytesOf(manifest)).toString('base64') }, null, 2)}\n`;

/**
 * The manifest, if this installation wrote it and the ring has each secret that the backup needs. Problem `config-invalid`
 * names the key id of a secret that is missing or differs; `proof-invalid` means that it was changed.
 */
function openManifest(ring: KeyRing, text: string): Manifest {
  const { mac = '', ...manifest } = parse(text);
  const code = Buffer.from(String(mac), 'base64');
  const kid = kidOfMac(code);
  if (!kidPattern.test(kid)) throw changed();
  if (!ring.kids.includes(kid)) throw refuseSecret(kid, 'none');
  if (!holdsMac(ring, 'backup', bytesOf(manifest), code)) throw changed(`, or ${kid} was another secret then`);
  const whole = manifest as Manifest;
  for (const { kid: needed, check } of whole.secrets) {
    if (!ring.kids.includes(needed)) throw refuseSecret(needed, 'none');
    const isSame = equalBytes(checkValue(ring, needed), Buffer.from(check, 'base64'));
    if (!isSame) throw refuseSecret(needed, 'a different one');
  }
  return whole;
}

const bytesOf = (manifest: object): Buffer => Buffer.from(canonicalJson(manifest), 'utf8');

function parse(text: string): Partial<Manifest> & { mac?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {}
  throw changed();
}

const changed = (besides = ''): Problem =>
  new Problem('proof-invalid', { detail: `Use another backup: the manifest of this one was changed${besides}.` });

const refuseSecret = (kid: string, finding: string): Problem =>
  new Problem('config-invalid', {
    detail: `Give the secret with the key id ${kid} in ASSENTRY_SECRETS, as it was when the backup was made: found ${finding}. Nothing was restored.`,
  });

/** A database with the rights of its owner, and its log. */
type OwnedDatabase = Store & { database: Database; ring: KeyRing; now: () => number };

type BackupOptions = OwnerOptions & { secrets: NamedSecret[] | null; witnesses?: NamedWitness[] };

/** The given secrets; problem `config-invalid` if there are none, and none is made. */
async function givenSecrets(options: BackupOptions): Promise<NamedSecret[]> {
  if (options.secrets !== null) return options.secrets;
  if (options.databaseUrl !== null) throw missingSecrets();
  return findSecret(directoryOf(options));
}

/** Runs work on the owner's database with its secrets. Problem `config-invalid` names one that is missing or differs. */
async function withOwned<T>(
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
