import pg from 'pg';
import { auditEntry, type Actor, type AuditEntry, type AuditEvent } from '#audit/entries/rules/entry';
import type { Evidence } from '#audit/entries/rules/evidence';
import { newId } from '#platform/crypto/random';
import type { ElicitationId, UserId } from '#platform/model/id';
import { insertSealed } from '../../support/nodes/log.ts';

/** Entries of one request. */
const each = 4;
/** Entries in one statement. */
const batch = 4096;
/** Approvers, of whom one voted once, at the first request. */
const people = 50;

export const idOf = (request: number): ElicitationId => `eli_${String(request).padStart(22, '0')}` as ElicitationId;
export const personOf = (number: number): UserId => `usr_${String(number).padStart(22, '0')}` as UserId;
export const digestOf = (request: number): string => request.toString(16).padStart(64, '0');
export const rarePerson = personOf(people);

/** Milliseconds between two requests, and when the first was asked. */
export const beat = 30_000;
export const begin = Date.parse('2026-01-01T00:00:00Z');

/** Writes as many true entries as nodes would, sealed as they seal them, and has them sequenced. */
export async function fillLog(
  connectionString: string,
  { count, evidence, sequence }: { count: number; evidence: Evidence; sequence: () => Promise<void> },
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (let done = 0; done < count; done += batch) {
      const entries = Array.from({ length: Math.min(batch, count - done) }, (_, at) => entryAt(done + at));
      await insertSealed(
        client,
        entries.map((entry) => evidence.seal(entry, {})),
      );
      await sequence();
    }
    await client.query('VACUUM ANALYZE audit_entry, audit_leaf, audit_tile');
  } finally {
    await client.end();
  }
}

/** A request is asked, looked at, voted on and fetched. */
function entryAt(place: number): AuditEntry {
  const [request, step] = [Math.floor(place / each), place % each];
  const at = begin + request * beat + step * 5000;
  const voter: Actor = { kind: 'user', id: request === 0 ? rarePerson : personOf(request % people) };
  const [actor, event] = (
    [
      [{ kind: 'operator' }, opened(request)],
      [voter, { type: 'access.read', what: 'request', about: [idOf(request)], count: 1, since: at }],
      [voter, voted(request)],
      [voter, { type: 'access.listed', what: 'requests', about: [], count: 1, since: at }],
    ] satisfies [Actor, AuditEvent][]
  )[step] as [Actor, AuditEvent];
  return auditEntry(newId('entry'), at, actor, event);
}

const about = (request: number) => ({
  elicitation: idOf(request),
  digest: digestOf(request),
  revision: 1,
  server: 'srv_0000000000000000000000' as never,
  serverName: 'payments',
  tool: `tool_${request % 40}`,
  policy: `policy_${request % 20}@1`,
  requester: digestOf(request % 1000),
  stage: 0,
  waited: 0,
});

const opened = (request: number): AuditEvent => ({
  type: 'elicitation.opened',
  toolCall: `call_${request}` as never,
  risk: 'medium',
  deadlineAt: begin + request * beat + 3_600_000,
  requesters: [],
  ...about(request),
  from: null,
  to: 'open',
});

const voted = (request: number): AuditEvent => ({
  type: 'elicitation.voted',
  vote: `vot_${request}`,
  action: 'accept',
  seen: digestOf(request),
  ...about(request),
  from: 'open',
  to: 'accepted',
});

/**
 * The rows of these requests, as copies of one: nothing but the search reads them. The first one had a tool and an
 * outcome that no other has.
 */
export async function fillRequests(connectionString: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    const { rows } = await client.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'elicitation' AND column_name <> ALL($1)`,
      [own],
    );
    const others = rows.map(({ name }) => `"${name}"`).join(', ');
    await client.query(copies(others), [Math.ceil(count / each), begin, beat]);
    await client.query('VACUUM ANALYZE elicitation');
  } finally {
    await client.end();
  }
}

const own = ['id', 'tool_call_id', 'status', 'opened_at', 'closed_at', 'wish', 'tool', 'policy', 'digest'];

const copies = (others: string): string => `
  INSERT INTO elicitation (${own.join(', ')}, ${others})
  SELECT 'eli_' || lpad(at::text, 22, '0'), 'call_' || at, CASE at WHEN 0 THEN 'expired' ELSE 'accepted' END,
      to_timestamp(($2::float8 + at * $3::float8) / 1000), to_timestamp(($2::float8 + at * $3::float8) / 1000) + interval '10 s',
      at, CASE at WHEN 0 THEN 'rare' ELSE 'tool_' || at % 40 END, 'policy_' || at % 20 || '@1',
      lpad(to_hex(at), 64, '0'), ${others}
    FROM (SELECT * FROM elicitation LIMIT 1) AS e, generate_series(0, $1::int - 1) AS at`;
