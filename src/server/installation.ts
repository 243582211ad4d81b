import path from 'node:path';
import { childEnvironment } from '#platform/config/env';
import { refuseVariable, type Config } from '#platform/config/config';
import { findDataDirectory, makeDataDirectory } from '#platform/config/data-directory';
import { openHeadFile, type HeadFile } from '#platform/config/heads';
import { keepSecret, missingSecrets, type NamedSecret } from '#platform/config/secrets';
import { defaultPooling, type Pooling } from '#platform/config/serving';
import type { KeyRing } from '#platform/crypto/key-ring';
import type { Clock } from '#platform/nodes/verbs/clock';
import { Problem } from '#platform/model/problem';
import type { MigrationProgress } from '#platform/database/migrate';
import { openDatabase, type Database } from '#platform/database/database';
import { startEmbeddedDatabase, type EmbeddedDatabase, PortTaken } from '#platform/embedded/database';
import { directoryOf } from './directory-of.ts';
import {
  checkDatabase,
  prepareAuditor,
  prepareDatabase,
  urlOf,
  type LoginRequest,
  type PreparedDatabase,
} from './database.ts';
import { openClock, openKeyRing } from './keys.ts';

/** A database that is up to date, and the secrets that open its content. */
export interface Installation {
  database: Database;
  databaseUrl: string;
  ring: KeyRing;
  clock: Clock;
  /** Keeps the head of the log outside the database; null if there is no place for it. */
  headFile: HeadFile | null;
  close(): Promise<void>;
}

type InstallationOptions = Pick<Config, 'databaseUrl' | 'dataDirectory' | 'databasePort'> & {
  /** A file for the head of the log; by default it is next to the embedded database. */
  logHead?: string | null;
  /** A directory with copies of heads of the log. */
  logCopies?: string | null;
  secrets: NamedSecret[] | null;
  pooling?: Partial<Pooling>;
  /** The id of a serving node; a command has none. */
  node?: string;
  /** Whether a missing installation is made; otherwise it is refused. */
  mayCreate?: boolean;
  /** Replaces the clock. For tests. */
  now?: () => number;
  /** Called when an idle connection dies. */
  onError(error: unknown): void;
  /** Called when something takes longer than a moment. */
  onProgress?(sentence: string): void;
  /** Ends the wait for a migration that another process runs. */
  signal?: AbortSignal;
};

/**
 * Opens the database of nodes and commands, which must be up to date; an embedded one is started and updated. Any
 * number of nodes and commands can do so at once.
 */
export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const pooling = { ...defaultPooling, ...options.pooling };
  const directory = options.databaseUrl === null ? directoryOf(options) : null;
  if (directory !== null) await findOrMake(directory, options);
  const secrets = options.secrets ?? (await fallbackSecrets(directory));
  const embedded = directory === null ? null : await openEmbedded(options, directory);
  const databaseUrl = options.databaseUrl ?? embedded?.url ?? '';
  const database = openDatabase(databaseUrl, {
    poolSize: pooling.connections,
    statementTimeout: pooling.statementTimeout,
    isPooled: pooling.isPooled,
    onError: options.onError,
  });
  const close = async (): Promise<void> => {
    await database.close();
    await embedded?.stop();
  };
  try {
    await checkDatabase(database, databaseUrl, pooling, options);
    const ring = await openKeyRing(database, secrets, options.node ?? null);
    const clock = await openClock(database, options.now);
    return { database, databaseUrl, ring, clock, headFile: chooseHeadFile(options), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Brings the database up to date as its owner, and makes the login of its nodes; an embedded one needs no address. */
export async function migrateInstallation(
  options: OwnerOptions,
  login: LoginRequest,
  progress?: MigrationProgress,
): Promise<Omit<PreparedDatabase, 'login'> & { login: string | null }> {
  if (options.databaseUrl !== null) return prepareDatabase(options.databaseUrl, login, progress);
  const directory = directoryOf(options);
  await findOrMake(directory, options);
  const { migrated, stop } = await openEmbedded(options, directory);
  await stop();
  return { migrated, login: null, url: null };
}

/** Makes a login for a reviewer with SQL, as the owner of the database; an embedded one needs no address. */
export async function makeAuditor(
  options: OwnerOptions,
  { name, isReset }: { name: string; isReset: boolean },
): Promise<string | null> {
  if (options.databaseUrl === null) await findDataDirectory(directoryOf(options));
  return asOwner(options, (ownerUrl) => prepareAuditor(ownerUrl, name, isReset));
}

export type OwnerOptions = Omit<InstallationOptions, 'secrets' | 'onError'>;

/** Acts on the database with the rights of its owner; an embedded one is started for it. */
export async function asOwner<T>(options: OwnerOptions, act: (ownerUrl: string) => Promise<T>): Promise<T> {
  if (options.databaseUrl !== null) return act(options.databaseUrl);
  const embedded = await startEmbedded(options, directoryOf(options));
  try {
    return await act(embedded.url());
  } finally {
    await embedded.stop();
  }
}

async function findOrMake(directory: string, { mayCreate }: Pick<InstallationOptions, 'mayCreate'>): Promise<void> {
  if (mayCreate === false) await findDataDirectory(directory);
  await makeDataDirectory(directory);
}

/** Where this installation keeps the head of its log outside the database; null if there is no place for it. */
export function chooseHeadFile(options: OwnerOptions): HeadFile | null {
  const place = options.logHead ?? (options.databaseUrl === null ? path.join(directoryOf(options), 'log-head') : null);
  return place === null ? null : openHeadFile(place);
}

/** An embedded database keeps a secret next to it; nodes on a shared database must be given theirs. */
function fallbackSecrets(directory: string | null): Promise<NamedSecret[]> {
  if (directory === null) throw missingSecrets();
  return keepSecret(directory);
}

interface Embedded {
  /** For nodes. */
  url: string;
  migrated: string[];
  stop(): Promise<void>;
}

/** Like on any other database, nodes and commands use a login that owns nothing. */
async function openEmbedded(options: EmbeddedOptions, directory: string): Promise<Embedded> {
  const embedded = await startEmbedded(options, directory);
  try {
    const password = embedded.passwordFor('node');
    const { migrated, login } = await prepareDatabase(embedded.url(), { password });
    return { url: urlOf(embedded.url(), login, password), migrated, stop: () => embedded.stop() };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

type EmbeddedOptions = Pick<InstallationOptions, 'databasePort' | 'onProgress'>;

async function startEmbedded(options: EmbeddedOptions, directory: string): Promise<EmbeddedDatabase> {
  options.onProgress?.(`Opening the embedded database in ${directory} …`);
  const port = options.databasePort === null ? {} : { port: options.databasePort };
  try {
    return await startEmbeddedDatabase({ directory, env: childEnvironment(), ...port });
  } catch (error) {
    const isOurs = error instanceof PortTaken && options.databasePort !== null;
    throw isOurs ? refusePort(options.databasePort) : error;
  }
}

const refusePort = (port: number | null): Problem =>
  refuseVariable('ASSENTRY_DB_PORT', `${port}, where something listens already`, 'give a free port, or none');
