import { Prisma } from './generated/prisma/client.ts';
import { readMigrations, type Migration } from './migrate.ts';
import pg from 'pg';
import { Problem, hasErrorCode } from '../model/problem.ts';
import { settingsOfLogin } from './connection.ts';

/** Tables whose rows are never changed or deleted. */
const appendOnly = [
  'vote',
  'revision',
  'remark',
  'look',
  'hold',
  'audit_entry',
  'audit_leaf',
  'audit_checkpoint',
  'audit_origin',
];
const epochs = {
  users: [
    'app_user',
    'server',
    'app_group',
    'group_member',
    'delegation',
    'provisioned_user',
    'provisioned_group',
    'space',
    'space_member',
    'custom_role',
  ],
  policies: ['policy'],
  stops: ['stop'],
  keys: ['api_key', 'workload'],
  sessions: ['session'],
};

interface Protection {
  table: string;
  trigger: string;
  calls: string;
  /** When the trigger runs, as the bits of PostgreSQL's `tgtype`. */
  type: number;
  /** Does it run only under a condition, or only if certain columns change? */
  isPartial?: true;
}

const [row, before, insert, remove, update, truncate] = [1, 2, 4, 8, 16, 32] as const;
/** Tables with triggers on certain columns: the time of last use of a key, a workload or a session may change. */
const ofColumns = ['api_key', 'workload', 'session'];

/** The triggers that protect tables, each with its function. */
export const protections: readonly Protection[] = [
  ...appendOnly.map((table) => {
    return { table, trigger: `${table}_no_change`, calls: 'refuse_change', type: row | before | update | remove };
  }),
  ...[...appendOnly, 'audit_tile', 'audit_queue'].map((table) => {
    return { table, trigger: `${table}_no_truncate`, calls: 'refuse_change', type: before | truncate };
  }),
  { table: 'audit_tile', trigger: 'audit_tile_no_delete', calls: 'refuse_change', type: row | before | remove },
  { table: 'audit_tile', trigger: 'audit_tile_only_grows', calls: 'refuse_other_tile', type: row | before | update },
  { table: 'audit_entry', trigger: 'audit_entry_queue', calls: 'queue_audit_entry', type: row | insert },
  {
    table: 'token',
    trigger: 'token_bound_once',
    calls: 'refuse_rebinding',
    type: row | before | update,
    isPartial: true,
  },
  {
    table: 'policy_version',
    trigger: 'policy_version_no_change',
    calls: 'refuse_policy_change',
    type: row | before | update,
  },
  {
    table: 'policy',
    trigger: 'policy_only_reviewed',
    calls: 'refuse_unreviewed_policy',
    type: row | before | insert | update,
  },
  ...Object.values(epochs)
    .flat()
    .map((table): Protection => {
      const protection = { table, trigger: `${table}_epoch`, calls: 'bump_epoch' };
      return ofColumns.includes(table)
        ? { ...protection, type: remove | update, isPartial: true }
        : { ...protection, type: insert | remove | update };
    }),
  { table: 'app_user', trigger: 'app_user_stamp', calls: 'stamp_user', type: row | before | insert | update },
];

/** Protections of tables that differ from the migrations, as sentences; empty if none. */
export async function missingProtections(tx: Reading): Promise<string[]> {
  const triggers = await tx.$queryRaw<Required<Protection>[]>`
    SELECT c.relname::text AS table, t.tgname::text AS trigger, p.proname::text AS calls, t.tgtype::int AS type,
           t.tgqual IS NOT NULL OR t.tgattr <> '' AS "isPartial"
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
     WHERE NOT t.tgisinternal AND t.tgenabled IN ('O', 'A') AND c.relnamespace = 'public'::regnamespace`;
  const sameName = (trigger: Protection) => (other: Protection) =>
    trigger.table === other.table && trigger.trigger === other.trigger;
  const isThere = (protection: Protection): boolean => {
    const trigger = triggers.find(sameName(protection));
    const { calls, type, isPartial = false } = protection;
    return trigger?.calls === calls && trigger.type === type && trigger.isPartial === isPartial;
  };
  const missing = protections.filter((protection) => !isThere(protection));
  const foreign = triggers.filter((trigger) => !protections.some(sameName(trigger)));
  return [
    ...missing.map(({ table, trigger }) => `The trigger ${trigger} of the table ${table} is missing or out of force.`),
    ...foreign.map(({ table, trigger }) => `The trigger ${trigger} of the table ${table} is none of the migrations'.`),
    ...(await changedFunctions(tx)),
    ...(await divertedTables(tx)),
  ];
}

/** Changed functions. A replaced one disables a trigger, or changes a view. */
async function changedFunctions(tx: Reading): Promise<string[]> {
  const functions = (await readMigrations()).flatMap(({ sql }) => functionsIn(sql));
  const stored = await tx.$queryRaw<{ name: string; source: string }[]>`
    SELECT CASE pronamespace WHEN 'public'::regnamespace THEN '' ELSE 'audit.' END || proname AS name, prosrc AS source
      FROM pg_proc WHERE pronamespace IN ('public'::regnamespace, 'audit'::regnamespace)`;
  return [...new Map(functions)]
    .filter(([name, source]) => {
      const sources = stored.filter((other) => other.name === name);
      return sources.length !== 1 || sources[0]?.source !== source;
    })
    .map(([name]) => `The function ${name} is not the one that the migrations made.`);
}

/** The name and the source of each function that a migration makes. */
const functionsIn = (sql: string): [string, string][] =>
  [...sql.matchAll(/CREATE (?:OR REPLACE )?FUNCTION "?([\w.]+)"?\([^$]*\$\$([^]*?)\$\$/g)].map(
    ([, name = '', source = '']) => [name, source],
  );

/** Tables with rules, row policies or inheritance, which make a statement read or write other rows than it names. */
async function divertedTables(tx: Reading): Promise<string[]> {
  const diverted = await tx.$queryRaw<{ table: string; by: string }[]>`
    SELECT c.relname::text AS table, 'the rule ' || r.rulename AS by FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
     WHERE c.relnamespace = 'public'::regnamespace AND r.rulename <> '_RETURN'
    UNION ALL
    SELECT relname::text, 'row-level security' FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND (relrowsecurity OR relforcerowsecurity)
    UNION ALL
    SELECT c.relname::text, 'the table ' || i.inhrelid::regclass FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhparent
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`;
  return diverted.map(
    ({ table, by }) => `The table ${table} is not read or written as it is: ${by} changes what a statement does.`,
  );
}

/** Rights on the log that this connection has but no node needs, as sentences. */
export async function needlessRights(tx: Reading): Promise<string[]> {
  const rights = await tx.$queryRaw<{ role: string; table: string }[]>`
    SELECT current_user::text AS role, name AS table FROM unnest(${appendOnly}::text[]) AS name
     WHERE has_table_privilege(quote_ident(name), 'UPDATE, DELETE, TRUNCATE')`;
  return rights.map(({ role, table }) => `The role ${role} may change or empty the table ${table}.`);
}

type Transaction = Pick<Prisma.TransactionClient, '$queryRaw' | '$executeRawUnsafe'>;

interface View {
  name: string;
  select: string;
  /** The last migration that defines the view. */
  migration: string;
  isBarrier: boolean;
}

/**
 * Views of reviewers that differ from the migrations, as sentences. PostgreSQL itself reads the migrations, as a temporary view
 * that is removed again. Null if this login may not make one.
 */
export async function changedViews(tx: Transaction): Promise<string[] | null> {
  const [right] = await tx.$queryRaw<[{ isGiven: boolean }]>`
    SELECT has_database_privilege(current_database(), 'TEMPORARY') AS "isGiven"`;
  if (!right.isGiven) return null;
  const views = viewsIn(await readMigrations());
  const stored = await definitionsOf(tx, Object.fromEntries(views.map(({ name }) => [name, name])));
  const expected = await expectedDefinitions(tx, views);
  return views
    .filter(({ name, isBarrier }) => {
      const view = stored.get(name);
      return !view || view.isBarrier !== isBarrier || expected.get(name)?.has(view.definition) !== true;
    })
    .map(
      ({ name, migration }) =>
        `The view ${name} is not the one that the migrations made: answers from it may be wrong. Make it again as prisma/migrations/${migration} does.`,
    );
}

/** The last definition of each view. */
function viewsIn(migrations: readonly Migration[]): View[] {
  const views = migrations.flatMap(({ name: migration, sql }) =>
    [...sql.matchAll(/CREATE (?:OR REPLACE )?VIEW "?([\w.]+)"?( WITH \(security_barrier\))? AS\s([^;]+);/g)].map(
      ([, name = '', barrier, select = '']) => ({ name, select, migration, isBarrier: barrier !== undefined }),
    ),
  );
  return [...new Map(views.map((view) => [view.name, view])).values()];
}

/** Definitions as PostgreSQL writes each, and as it writes that text again, which is the form in a restored dump. */
async function expectedDefinitions(tx: Transaction, views: readonly View[]): Promise<Map<string, Set<string>>> {
  const expected = new Map(views.map(({ name }) => [name, new Set<string>()]));
  const make = async (selects: readonly [string, string][], round: string): Promise<[string, string][]> => {
    const names: Record<string, string> = {};
    for (const [at, [name, select]] of selects.entries()) {
      names[name] = `expected_${round}_${at}`;
      await tx.$executeRawUnsafe(`CREATE TEMPORARY VIEW ${names[name]} AS ${select}`);
    }
    return [...(await definitionsOf(tx, names))].map(([name, { definition }]) => [name, definition]);
  };
  await tx.$executeRawUnsafe('SAVEPOINT before_views');
  try {
    const first = await make(
      views.map(({ name, select }) => [name, select]),
      'first',
    );
    for (const [name, definition] of [...first, ...(await make(first, 'again'))]) expected.get(name)?.add(definition);
  } finally {
    await tx.$executeRawUnsafe('ROLLBACK TO SAVEPOINT before_views');
  }
  return expected;
}

/** Definition of the second view, by the first name; none if there is no such view. */
async function definitionsOf(
  tx: Transaction,
  names: Record<string, string>,
): Promise<Map<string, { definition: string; isBarrier: boolean }>> {
  const rows = await tx.$queryRaw<{ name: string; definition: string; isBarrier: boolean }[]>`
    SELECT n.key AS name, trim(trailing ';' FROM pg_get_viewdef(c.oid)) AS definition,
           coalesce(c.reloptions::text[] && ARRAY['security_barrier=true', 'security_barrier'], false) AS "isBarrier"
      FROM jsonb_each_text(${JSON.stringify(names)}::jsonb) AS n JOIN pg_class c ON c.oid = to_regclass(n.value) AND c.relkind = 'v'`;
  return new Map(rows.map(({ name, ...view }) => [name, view]));
}

/** The role with the rights of every node, and the one that reads the log. Neither owns anything or logs in. */
const nodeRole = 'assentry_app';
const auditorRole = 'assentry_auditor';

/** Writing rights of nodes: only those that the engine needs, and none that rewrites the log. */
const writing: readonly { rights: string; tables: readonly string[] }[] = [
  {
    rights: 'INSERT',
    tables: [
      'vote',
      'revision',
      'remark',
      'look',
      'hold',
      'shadow_result',
      'callback_report',
      'passed_look',
      'audit_entry',
      'audit_leaf',
      'audit_checkpoint',
      'space',
    ],
  },
  {
    rights: 'INSERT, UPDATE',
    tables: [
      'app_user',
      'link',
      'delegation',
      'server',
      'api_key',
      'policy',
      'policy_version',
      'secret',
      'passkey',
      'totp',
    ],
  },
  {
    rights: 'INSERT, UPDATE',
    tables: ['scim_token', 'admin_token', 'workload', 'provisioned_user', 'provisioned_group'],
  },
  {
    rights: 'INSERT, UPDATE',
    tables: [
      'tool_call',
      'elicitation',
      'stop',
      'break_glass',
      'look_back',
      'approver_turn',
      'app_grant',
      'page_proof',
      'once_call',
      'passed_call',
      'audit_tile',
      'audit_cosignature',
      'notification_setting',
      'push_key',
      'registered_client',
    ],
  },
  { rights: 'UPDATE', tables: ['outbox_reader', 'outbox_head', 'insight_state'] },
  {
    rights: 'INSERT, DELETE',
    tables: [
      'connection_attempt',
      'provider_event',
      'chat_delivery',
      'outbox',
      'audit_queue',
      'passkey_challenge',
      'insight_run',
      'insight_burst',
    ],
  },
  {
    rights: 'INSERT, UPDATE, DELETE',
    tables: [
      'insight_tool',
      'insight_tool_week',
      'insight_wait',
      'insight_person',
      'insight_person_week',
      'insight_policy',
      'app_group',
      'group_member',
      'space_member',
      'custom_role',
      'session',
      'sign_in_budget',
      'federated_identity',
      'sign_in_attempt',
      'logout_notice',
      'token',
      'call_memo',
      'page_try',
      'chat_request',
      'chat_message',
      'notification',
      'webhook',
      'audit_stream',
      'push_device',
      'server_tool',
      'upstream_credential',
      'connection_withdrawal',
      'expectation',
      'saved_view',
      'node',
    ],
  },
];

const grants = [
  'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
  `GRANT USAGE ON SCHEMA public TO ${nodeRole}, ${auditorRole}`,
  `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${nodeRole}`,
  `GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${nodeRole}`,
  ...writing.map(({ rights, tables }) => `GRANT ${rights} ON ${tables.join(', ')} TO ${nodeRole}`),
  `GRANT SELECT ON audit_log, audit_heads TO ${auditorRole}`,
  `GRANT USAGE ON SCHEMA audit TO ${nodeRole}, ${auditorRole}`,
  `GRANT SELECT ON ALL TABLES IN SCHEMA audit TO ${nodeRole}, ${auditorRole}`,
];

/** Makes missing roles and grants all their rights; repeats that after a restore into another cluster. */
export async function grantRights(owner: pg.Client): Promise<void> {
  for (const role of [nodeRole, auditorRole]) await makeRole(owner, role);
  await owner.query(grants.join(';\n'));
}

/** Problem `migration-failed` if the owner has not made the views of reviewers yet. */
export async function assertMigrated(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ view: string | null }>(`SELECT to_regclass('audit.decisions') AS view`);
  if (rows[0]?.view) return;
  throw new Problem('migration-failed', { detail: 'Run "assentry migrate" first: this database is not up to date.' });
}

/** Makes a role, unless another database or an administrator already has: roles belong to the cluster. */
async function makeRole(owner: pg.Client, role: string): Promise<void> {
  const { rowCount } = await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount === 1) return;
  await owner.query(`CREATE ROLE ${role} NOLOGIN`).catch((cause: unknown) => {
    if (hasErrorCode(cause, '42710', '23505')) return;
    throw hasErrorCode(cause, '42501') ? mayNot(`CREATE ROLE ${role} NOLOGIN`, cause) : cause;
  });
}

/** Problem `migration-failed` with the statement for someone with the right. */
const mayNot = (statement: string, cause: unknown): Problem =>
  new Problem('migration-failed', {
    detail: `Have an administrator of the database server run "${statement};", and run "assentry migrate" again: this login may not.`,
    cause,
  });

type Reading = Pick<Prisma.TransactionClient, '$queryRaw'>;

/** Rights that a node needs and this connection lacks, as sentences; empty if it has all. */
export async function missingRights(tx: Reading): Promise<string[]> {
  const rights = writing.flatMap(({ rights, tables }) =>
    tables.flatMap((table) => ['SELECT', ...rights.split(', ')].map((right) => ({ table, right }))),
  );
  const missing = await tx.$queryRaw<{ login: string; table: string; right: string }[]>`
    SELECT current_user::text AS login, w.table, w.right
      FROM jsonb_to_recordset(${JSON.stringify(rights)}::jsonb) AS w("table" text, "right" text)
     WHERE has_table_privilege(to_regclass('public.' || quote_ident(w.table)), w.right) IS NOT TRUE`;
  return missing.map(
    ({ login, table, right }) => `The login ${login} lacks the right to ${right} in the table ${table}.`,
  );
}

/** Rights of a login that a node must not have, as sentences; empty for a node's login. */
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
  /** PostgreSQL's stored form of the password. */
  verifier: string;
  /** Does an existing login get this password? */
  isReset: boolean;
}

/** Makes the login of nodes; returns whether it has the given password now. */
export const makeNodeLogin = (owner: pg.Client, login: Login): Promise<boolean> => makeLogin(owner, login, nodeRole);

/**
 * Gives a login the settings for connections behind a pooler. A foreign login may keep its own; a start that needs them reports
 * it.
 */
export async function giveSettings(owner: pg.Client, login: string): Promise<void> {
  for (const statement of settingsOfLogin(login, owner.database ?? ''))
    await owner.query(statement).catch((error: unknown) => {
      if (!hasErrorCode(error, '42501')) throw error;
    });
}

/** Makes a login that reads the views of reviewers and writes nothing; returns whether it has the given password now. */
export async function makeAuditorLogin(owner: pg.Client, login: Login): Promise<boolean> {
  const isSet = await makeLogin(owner, login, auditorRole);
  for (const [setting, value] of Object.entries(auditorSettings)) {
    await run(owner, `ALTER ROLE ${pg.escapeIdentifier(login.name)} SET ${setting} = ${pg.escapeLiteral(value)}`);
  }
  return isSet;
}

/** Settings that cancel a long query before it burdens the nodes. */
const auditorSettings = {
  default_transaction_read_only: 'on',
  statement_timeout: '60s',
  idle_in_transaction_session_timeout: '5min',
  timezone: 'UTC',
};

/** Makes a missing login as a member of this one role only. */
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
