import type { Prisma } from '../generated/prisma/client.ts';
import { readMigrations } from '../migrate/migrate.ts';

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
  /** When it runs, as the bits of PostgreSQL's `tgtype`. */
  type: number;
  /** Does it run only under a condition, or only if certain columns change? */
  isPartial?: true;
}

const [row, before, insert, remove, update, truncate] = [1, 2, 4, 8, 16, 32] as const;
/** When a key, a workload or a session was last used changes nothing. */
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

type Reading = Pick<Prisma.TransactionClient, '$queryRaw'>;

/** What protects the tables and is not as the migrations made it, as sentences; empty if all is. */
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

/** A replaced function disables a trigger as well, or changes what a view says. */
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

/** Rules, policies of rows and tables that inherit make a statement read or write something else than it says. */
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

/** Rights on the log that this connection has and no node needs, as sentences. */
export async function needlessRights(tx: Reading): Promise<string[]> {
  const rights = await tx.$queryRaw<{ role: string; table: string }[]>`
    SELECT current_user::text AS role, name AS table FROM unnest(${appendOnly}::text[]) AS name
     WHERE has_table_privilege(quote_ident(name), 'UPDATE, DELETE, TRUNCATE')`;
  return rights.map(({ role, table }) => `The role ${role} may change or empty the table ${table}.`);
}
