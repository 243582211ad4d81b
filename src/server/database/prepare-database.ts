import { randomBytes } from 'node:crypto';
import { scramVerifier } from '#access/passwords/rules/passwords';
import { giveSettings, makeAuditorLogin, makeNodeLogin } from '#platform/database/rights';
import { holdingMigrations, migrateDatabase, readMigrations, type MigrationProgress } from '#platform/database/migrate';
import { grantRights, assertMigrated } from '#platform/database/rights';

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
