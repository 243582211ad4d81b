import type { Prisma } from '../../generated/prisma/client.ts';
import { readMigrations } from './migrate.ts';

/** The triggers that protect tables, each with its function. */
const grows = [
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

export const protections: readonly { table: string; trigger: string; calls: string }[] = [
  ...grows.map((table) => ({ table, trigger: `${table}_no_change`, calls: 'refuse_change' })),
  ...[...grows, 'audit_tile', 'audit_queue'].map((table) => {
    return { table, trigger: `${table}_no_truncate`, calls: 'refuse_change' };
  }),
  { table: 'audit_tile', trigger: 'audit_tile_no_delete', calls: 'refuse_change' },
  { table: 'audit_tile', trigger: 'audit_tile_only_grows', calls: 'refuse_other_tile' },
  { table: 'audit_entry', trigger: 'audit_entry_queue', calls: 'queue_audit_entry' },
  { table: 'token', trigger: 'token_bound_once', calls: 'refuse_rebinding' },
  { table: 'policy_version', trigger: 'policy_version_no_change', calls: 'refuse_policy_change' },
  { table: 'policy', trigger: 'policy_only_reviewed', calls: 'refuse_unreviewed_policy' },
  ...Object.values(epochs)
    .flat()
    .map((table) => ({ table, trigger: `${table}_epoch`, calls: 'bump_epoch' })),
  { table: 'app_user', trigger: 'app_user_stamp', calls: 'stamp_user' },
];

/** Tables whose rows are never changed or deleted. */
const kept = [
  'audit_entry',
  'audit_leaf',
  'audit_checkpoint',
  'audit_origin',
  'vote',
  'revision',
  'remark',
  'look',
  'hold',
];

type Reading = Pick<Prisma.TransactionClient, '$queryRaw'>;

/** The triggers of the migrations that the database lacks, as sentences; empty if all exist and are enabled. */
export async function missingProtections(tx: Reading): Promise<string[]> {
  const triggers = await tx.$queryRaw<{ table: string; trigger: string; calls: string }[]>`
    SELECT c.relname::text AS table, t.tgname::text AS trigger, p.proname::text AS calls
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
     WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND c.relnamespace = 'public'::regnamespace`;
  const isThere = (protection: (typeof protections)[number]): boolean =>
    triggers.some(
      ({ table, trigger, calls }) =>
        table === protection.table && trigger === protection.trigger && calls === protection.calls,
    );
  const missing = protections.filter((protection) => !isThere(protection));
  return [
    ...missing.map(({ table, trigger }) => `The trigger ${trigger} of the table ${table} is missing or out of force.`),
    ...(await changedFunctions(tx)),
  ];
}

/** A replaced function disables a trigger as well. */
async function changedFunctions(tx: Reading): Promise<string[]> {
  const functions = (await readMigrations()).reduce(
    (all, { sql }) => new Map([...all, ...functionsIn(sql)]),
    new Map(),
  );
  const stored = await tx.$queryRaw<{ name: string; source: string }[]>`
    SELECT proname::text AS name, prosrc AS source FROM pg_proc WHERE pronamespace = 'public'::regnamespace`;
  const sources = new Map(stored.map(({ name, source }) => [name, source]));
  const names = [...new Set(protections.map(({ calls }) => calls))];
  return names
    .filter((name) => sources.get(name) !== functions.get(name))
    .map((name) => `The function ${name} is not the one that the migrations made.`);
}

const functionsIn = (sql: string): [string, string][] =>
  [...sql.matchAll(/CREATE (?:OR REPLACE )?FUNCTION "?(\w+)"?\(\)[^$]*\$\$([^]*?)\$\$/g)].map(([, name, source]) => [
    name ?? '',
    source ?? '',
  ]);

/** Rights on the log that this connection has and no node needs, as sentences. */
export async function needlessRights(tx: Reading): Promise<string[]> {
  const rights = await tx.$queryRaw<{ role: string; table: string }[]>`
    SELECT current_user::text AS role, name AS table FROM unnest(${kept}::text[]) AS name
     WHERE has_table_privilege(quote_ident(name), 'UPDATE, DELETE, TRUNCATE')`;
  return rights.map(({ role, table }) => `The role ${role} may change or empty the table ${table}.`);
}
