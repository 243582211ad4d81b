import type pg from 'pg';
import type { Prisma } from '../generated/prisma/client.ts';
import { Problem } from '../../model/problem/problem.ts';
import { hasErrorCode } from '../../model/problem/system-error.ts';

/** The role whose rights every node has, and the one that reads the log. Neither owns anything or logs in. */
export const nodeRole = 'assentry_app';
export const auditorRole = 'assentry_auditor';

/** What nodes may do apart from reading: only what the engine needs, and nothing that rewrites the log. */
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
    ],
  },
  { rights: 'UPDATE', tables: ['outbox_reader', 'outbox_head', 'insight_state'] },
  {
    rights: 'INSERT, DELETE',
    tables: ['chat_delivery', 'outbox', 'audit_queue', 'passkey_challenge', 'insight_run', 'insight_burst'],
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

/**
 * Makes the roles unless they exist, and grants all their rights. After a restore into another cluster it does so
 * again.
 */
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

/** Roles belong to the cluster: another database may have made them, or an administrator beforehand. */
async function makeRole(owner: pg.Client, role: string): Promise<void> {
  const { rowCount } = await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount === 1) return;
  await owner.query(`CREATE ROLE ${role} NOLOGIN`).catch((cause: unknown) => {
    if (hasErrorCode(cause, '42710', '23505')) return;
    throw hasErrorCode(cause, '42501') ? mayNot(`CREATE ROLE ${role} NOLOGIN`, cause) : cause;
  });
}

/** Problem `migration-failed` with the statement that someone else must run. */
export const mayNot = (statement: string, cause: unknown): Problem =>
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
