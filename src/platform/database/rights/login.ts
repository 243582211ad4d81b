import pg from 'pg';
import type { Prisma } from '../generated/prisma/client.ts';
import { Problem } from '../../model/problem/problem.ts';
import { auditorRole, mayNot, nodeRole } from './rights.ts';
import { settingsOfLogin } from '../connection/session-settings.ts';
import { hasErrorCode } from '../../model/problem/system-error.ts';

/** Everything a login has that a node must not have, as sentences; empty for a node's login. */
export async function excessOfLogin(tx: Pick<Prisma.TransactionClient, '$queryRaw'>): Promise<string | null> {
  const [login] = await tx.$queryRaw<[{ name: string; isSuperuser: boolean; owned: string | null }]>`
    SELECT session_user::text AS name, (SELECT rolsuper FROM pg_roles WHERE rolname = session_user) AS "isSuperuser",
           (SELECT min(relname::text) FROM pg_class
             WHERE relnamespace = 'public'::regnamespace AND pg_has_role(session_user, relowner, 'MEMBER')) AS owned`;
  if (login.isSuperuser) return `the login ${login.name}, which is a superuser`;
  return login.owned === null ? null : `the login ${login.name}, which owns the table ${login.owned}`;
}

interface Login {
  name: string;
  /** What PostgreSQL stores of the password. */
  verifier: string;
  /** Whether an existing login gets this password. */
  isReset: boolean;
}

/** Makes the login that nodes run under; says whether it has the given password now. */
export const makeNodeLogin = (owner: pg.Client, login: Login): Promise<boolean> => makeLogin(owner, login, nodeRole);

/** For connections behind a pooler. A login that someone else made may keep its own; a start that needs them says so. */
export async function giveSettings(owner: pg.Client, login: string): Promise<void> {
  for (const statement of settingsOfLogin(login, owner.database ?? ''))
    await owner.query(statement).catch((error: unknown) => {
      if (!hasErrorCode(error, '42501')) throw error;
    });
}

/** Makes a login that reads the views of reviewers and writes nothing; says whether it has the given password now. */
export async function makeAuditorLogin(owner: pg.Client, login: Login): Promise<boolean> {
  const isSet = await makeLogin(owner, login, auditorRole);
  for (const [setting, value] of Object.entries(auditorSettings)) {
    await run(owner, `ALTER ROLE ${pg.escapeIdentifier(login.name)} SET ${setting} = ${pg.escapeLiteral(value)}`);
  }
  return isSet;
}

/** A long query is cancelled before it burdens the nodes. */
const auditorSettings = {
  default_transaction_read_only: 'on',
  statement_timeout: '60s',
  idle_in_transaction_session_timeout: '5min',
  timezone: 'UTC',
};

/** Makes the login unless it exists, as a member of this one role only. */
async function makeLogin(owner: pg.Client, { name, verifier, isReset }: Login, role: string): Promise<boolean> {
  const login = pg.escapeIdentifier(name);
  const password = `PASSWORD ${pg.escapeLiteral(verifier)}`;
  const { rows } = await owner.query<{ excess: boolean; member: boolean }>(
    `SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
            OR EXISTS (SELECT FROM pg_class WHERE pg_has_role(r.oid, relowner, 'MEMBER'))
            OR ($2 <> $3 AND pg_has_role(oid, $3, 'MEMBER')) AS excess,
            pg_has_role(oid, $2, 'MEMBER') AS member FROM pg_roles r WHERE rolname = $1`,
    [name, role, nodeRole],
  );
  const there = rows[0];
  if (there?.excess)
    throw new Problem('already-exists', {
      detail: `Give another name: the login ${name} owns tables or may do more than it needs.`,
    });
  if (!there) await run(owner, `CREATE ROLE ${login} LOGIN ${password}`, `CREATE ROLE ${login} LOGIN PASSWORD '…'`);
  if (!there?.member) await run(owner, `GRANT ${role} TO ${login}`);
  if (there && isReset)
    await run(owner, `ALTER ROLE ${login} LOGIN ${password}`, `ALTER ROLE ${login} LOGIN PASSWORD '…'`);
  return !there || isReset;
}

const run = async (owner: pg.Client, statement: string, shown = statement): Promise<void> => {
  await owner.query(statement).catch((cause: unknown) => {
    throw hasErrorCode(cause, '42501') ? mayNot(shown, cause) : cause;
  });
};
