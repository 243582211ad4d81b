import { randomBytes } from 'node:crypto';
import { scramVerifier } from '#access/passwords/rules/passwords';
import {
  giveSettings,
  makeAuditorLogin,
  makeNodeLogin,
  grantRights,
  assertMigrated,
  excessOfLogin,
  missingProtections,
  missingRights,
} from '#platform/database/rights';
import {
  holdingMigrations,
  migrateDatabase,
  readMigrations,
  type MigrationProgress,
  isMigrating,
  pendingMigrations,
} from '#platform/database/migrate';
import { auditEntry } from '#audit/entries/rules/entry';
import type { NodeConfigured, NodeSettings } from '#audit/entries/rules/events';
import { refuseVariable, defaultLimits } from '#platform/config/config';
import { defaultProxies, type Pooling } from '#platform/config/serving';
import { canonicalJson } from '#platform/crypto/digest';
import { newId } from '#platform/crypto/random';
import type { Engine } from '#platform/nodes/verbs/engine';
import { chatChannels } from '#notify/chat/contract';
import { isTrial } from '#policies/contract/policy';
import { defaultSessions } from '#people/directory/contract/user';
import type { SharedSettings } from '#platform/nodes/store';
import { openWitnesses } from '#audit/tree/wiring/witnesses';
import { surroundingsOf, type ServerOptions } from './options.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem, describeError } from '#platform/model/problem';
import { connectClient, missingSettings, startOptions, unfitServer } from '#platform/database/connection';
import type { Database } from '#platform/database/database';

export interface LoginRequest {
  /** The login of the nodes; by default it is named after the database. */
  name?: string | undefined;
  /** Its password, even if the login exists; by default a new login gets a random one. */
  password?: string | undefined;
  /** Whether an existing login gets a random password. */
  isReset?: boolean | undefined;
}

export interface PreparedDatabase {
  /** The names of the applied migrations. */
  migrated: string[];
  login: string;
  /** The address for nodes with its password, which is stored nowhere; null if the login keeps its password. */
  url: string | null;
}

/**
 * Brings the database of this owner up to date, grants the roles their rights, and makes the login of the nodes. It can
 * run again, for example after a restore, and several times at once.
 */
export async function prepareDatabase(
  ownerUrl: string,
  request: LoginRequest = {},
  progress: MigrationProgress = {},
): Promise<PreparedDatabase> {
  const url = new URL(ownerUrl);
  const login = request.name ?? `${decodeURIComponent(url.pathname.slice(1))}_node`;
  const password = request.password ?? randomBytes(24).toString('base64url');
  const isReset = request.password !== undefined || request.isReset === true;
  let isSet = false;
  const migrated = await migrateDatabase(ownerUrl, await readMigrations(), {
    ...progress,
    async finish(owner) {
      await grantRights(owner);
      isSet = await makeNodeLogin(owner, { name: login, verifier: scramVerifier(password), isReset });
      await giveSettings(owner, login);
    },
  });
  return { migrated, login, url: isSet ? urlOf(ownerUrl, login, password) : null };
}

/**
 * Makes a login that reads the views of reviewers and writes nothing. Returns its address with its password, which is
 * stored nowhere; null if the login exists and keeps its password.
 */
export async function prepareAuditor(ownerUrl: string, name: string, isReset: boolean): Promise<string | null> {
  const password = randomBytes(24).toString('base64url');
  const isSet = await holdingMigrations(ownerUrl, async (owner) => {
    await assertMigrated(owner);
    await grantRights(owner);
    return makeAuditorLogin(owner, { name, verifier: scramVerifier(password), isReset });
  });
  return isSet ? urlOf(ownerUrl, name, password) : null;
}

/** The same database, for another login. */
export function urlOf(address: string, login: string, password: string): string {
  const url = new URL(address);
  url.username = encodeURIComponent(login);
  url.password = encodeURIComponent(password);
  return url.href;
}

/** What must be the same at all nodes. */
export function sharedSettings(options: ServerOptions, version: string): SharedSettings {
  const { environment, defaults, secondFactor } = surroundingsOf(options);
  return { version, environment, publicUrl: options.publicUrl, ...defaults, secondFactor };
}

/**
 * Writes under which settings this node starts, unless the latest such entry says the same: a hundred equal nodes, or
 * restarts, write one. Problem `config-invalid` refuses a trial on a database that has served as anything else: there
 * one person may decide alone.
 */
export async function recordSettings(
  { accessLog, ring, now }: Pick<Engine, 'accessLog' | 'ring' | 'now'>,
  options: ServerOptions,
  { version, keepsHead }: { version: string; keepsHead: boolean },
): Promise<void> {
  const settings = settingsOf(options, [...ring.kids].sort(), keepsHead);
  const event: NodeConfigured = { type: 'node.configured', version, settings };
  const entry = auditEntry(newId('entry'), now(), { kind: 'operator' }, event);
  await accessLog.appendUnless(entry, (latest) => {
    if (latest.type !== 'node.configured') return false;
    assertNotTrial(settings.environment, latest.settings.environment);
    return latest.version === version && canonicalJson(latest.settings) === canonicalJson(settings);
  });
}

function assertNotTrial(environment: string, before: string): void {
  if (!isTrial(environment) || isTrial(before)) return;
  const allowed = `this database has served as ${JSON.stringify(before)}: give that, or a database of its own to a trial`;
  throw refuseVariable('ASSENTRY_ENVIRONMENT', JSON.stringify(environment), allowed);
}

function settingsOf(options: ServerOptions, secrets: string[], keepsHead: boolean): NodeSettings {
  const { environment, defaults, secondFactor } = surroundingsOf(options);
  return {
    environment,
    ...defaults,
    secondFactor,
    sessions: { ...defaultSessions, ...options.sessions },
    limits: { ...defaultLimits, ...options.limits },
    secrets,
    checkedServers: Object.keys(options.tokenSources ?? {}).sort(),
    trustedProxies: [...(options.trustedProxies ?? defaultProxies)],
    publicUrl: options.publicUrl,
    mailServer: options.smtp?.host ?? null,
    votesInChat: chatChannels.some((name) => options[name]),
    webhookNetworks: [...(options.webhooks?.networks ?? [])],
    witnesses: openWitnesses(options.witnesses).map(({ verifier }) => verifier.name),
    streams: (options.streams?.streams ?? []).map(({ name }) => name),
    keepsHead,
    copiesHeads: Boolean(options.logCopies),
    lockedCopies: options.logBucket ? { bucket: options.logBucket.url, days: options.logBucket.days } : null,
  };
}

/**
 * Prevents reading, signing or sealing in a database that is not up to date or lacks its protection, or under a login
 * that owns it. Problem `database-unavailable` says why there is no connection; `config-invalid` or `migration-failed`
 * says what is missing and how to repair it.
 */
export async function checkDatabase(
  { prisma }: Pick<Database, 'prisma'>,
  url: string,
  pooling: Pick<Pooling, 'isPooled' | 'connections'>,
  wait: MigrationWait = {},
): Promise<void> {
  await tryConnection(url, pooling);
  await awaitMigration(prisma, wait);
  const excess = await excessOfLogin(prisma);
  if (excess !== null) throw refuseVariable('DATABASE_URL', excess, giveNodeLogin);
  await checkSettings(prisma, pooling);
  const unfit = await unfitServer(prisma, pooling.connections + ownConnections);
  if (unfit !== null) throw refuseVariable(unfit.variable, unfit.finding, unfit.cure);
  const unmigrated = await findUnmigrated(prisma);
  if (unmigrated !== null) throw unmigrated;
  const [missing] = await missingProtections(prisma);
  if (missing !== undefined) throw refuse('', `${missing} ${putBack}`);
}

/** Why a node could store nothing now: no new connection, a right or a protection that is missing; null if it could. */
export async function findStoreFault(
  { prisma }: Pick<Database, 'prisma'>,
  url: string,
  pooling: Pick<Pooling, 'isPooled'>,
): Promise<Problem | null> {
  try {
    await tryConnection(url, pooling);
    const rights = await missingRights(prisma);
    if (rights.length > 0) return unable(`${runMigrate}${rights.join(' ')}`);
    const [missing] = await missingProtections(prisma);
    return missing === undefined ? null : unable(`${missing} ${putBack}`);
  } catch (error) {
    if (error instanceof Problem) return unable(error.message, error);
    throw error;
  }
}

const unable = (detail: string, cause?: unknown): Problem => new Problem('database-unavailable', { detail, cause });

/** Why this version cannot serve from the schema that the database has; null if it can. */
async function findUnmigrated(prisma: Database['prisma']): Promise<Problem | null> {
  try {
    const [pending] = await pendingMigrations(prisma);
    if (pending !== undefined) return refuse(runMigrate, `The migration ${pending} is not applied yet.`);
    const rights = await missingRights(prisma);
    return rights.length > 0 ? refuse(runMigrate, rights.join(' ')) : null;
  } catch (error) {
    if (error instanceof Problem && error.code === 'migration-failed') return error;
    throw error;
  }
}

interface MigrationWait {
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
  onProgress?: ((sentence: string) => void) | undefined;
}

/** Resolves when no migration runs that this version needs or does not know. A node that starts meanwhile waits for its end. */
async function awaitMigration(prisma: Database['prisma'], { signal, onProgress }: MigrationWait): Promise<void> {
  let isTold = false;
  // The lock is looked at first: a migration that ends between the two is seen as applied.
  while (!signal?.aborted && (await isMigrating(prisma)) && (await findUnmigrated(prisma)) !== null) {
    if (!isTold) onProgress?.('Waiting for the migration of this database, which runs now.');
    isTold = true;
    await sleep(1_000, undefined, { signal }).catch(() => {});
  }
}

/** Next to the pool, one listens and one asks for `/readyz`. */
const ownConnections = 2;

/** Throws with the reason if there is no connection. */
async function tryConnection(url: string, { isPooled }: Pick<Pooling, 'isPooled'>): Promise<void> {
  const options = isPooled ? {} : { options: startOptions() };
  const client = await connectClient({ connectionString: url, ...options }).catch((error: unknown) => {
    if (!isPooled && /unsupported startup parameter/.test(describeError(error)))
      throw refuseVariable(
        'ASSENTRY_DB_POOLER',
        'off, and a pooler that refuses the settings of a connection',
        setPooler,
      );
    throw error;
  });
  await client.end();
}

async function checkSettings(prisma: Database['prisma'], { isPooled }: Pick<Pooling, 'isPooled'>): Promise<void> {
  const statements = await missingSettings(prisma);
  if (statements.length === 0) return;
  if (!isPooled)
    throw refuseVariable('ASSENTRY_DB_POOLER', 'off, and something that drops the settings of a connection', setPooler);
  throw refuseVariable(
    'ASSENTRY_DB_POOLER',
    'a login without settings of its own',
    `run "${statements.join(' ')}", and restart the pooler, whose connections keep the settings they began with`,
  );
}

const setPooler =
  'set it to on, with ASSENTRY_DB_LISTEN, if DATABASE_URL leads to PgBouncer or another pooler; else take "options" out of DATABASE_URL';
const giveNodeLogin =
  'run "assentry migrate" with it, and give the address that it prints: nodes and commands run under a login that owns nothing';
const runMigrate = 'Run "assentry migrate" with the DATABASE_URL of the login that owns the database. ';
const putBack =
  'Restore it from prisma/migrations, and run "assentry audit verify": changes made meanwhile may not be in the log.';

const refuse = (remedy: string, fault: string): Problem =>
  new Problem('migration-failed', { detail: `${remedy}${fault}` });
