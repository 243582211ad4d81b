import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Readable } from 'node:stream';
import pg from 'pg';
import { type StoredEvent, recordOf } from '#audit/entries/rules/entry';
import { checkExport, linesOf } from '#audit/exports/rules/check';
import { parseVerifierKey } from '#audit/tree/rules/notes';
import { LogPage, RequestRecord, type Report } from '#audit/search/contract';
import { exportEntries } from '#audit/exports/verbs';
import { reportTable } from '#audit/reports/verbs/reports';
import { prepareAuditor } from '#server/database';
import type { ElicitationId, UserId } from '#platform/model/id';
import { filterFacts, type LogFilter } from '#audit/exports/rules/filter';
import { reportIds, requestOutcomes, type ReportId } from '#audit/reports/contract/report';
import { entryConditions, aboutStatement, searchStatement } from '#audit/search/store';
import { sequenceAll } from '../../support/nodes/log.ts';
import { readNaively } from '../../support/audit/naive-export.ts';
import { filterNaively } from '../../support/audit/naive-filter.ts';
import { readExport } from '../../support/audit/read-export.ts';
import { openReviewedHouse, type ReviewedHouse } from '../../support/audit/reviewed-house.ts';
import { nodeUrl } from '../../support/databases/node-login.ts';
import {
  answerIn,
  answerInSql,
  answerOffline,
  manualStatements,
  narrow,
  narrowerQuestions,
  narrowing,
} from '../../support/audit/usual-answers.ts';
import { json } from '../../support/json.ts';
import { isNight } from '../../support/runs.ts';

let house: ReviewedHouse;
let owner: pg.Client;
let auditor: pg.Client;
let login = '';
beforeAll(async () => {
  house = await openReviewedHouse(isNight ? 400 : 240);
  owner = await connect(house.server.databaseUrl);
  await forgetSearchKeys(owner);
  login = `auditor_${process.pid}`;
  auditor = await connect((await prepareAuditor(house.server.databaseUrl, login, false)) ?? '');
});
afterAll(async () => {
  await auditor?.end();
  await owner?.query(`DROP ROLE ${login}`);
  await owner?.end();
  await house?.server.stop();
});

/** As if a node of the version before had written every second entry. */
async function forgetSearchKeys(client: pg.Client): Promise<void> {
  await client.query('SET session_replication_role = replica');
  await client.query('UPDATE audit_entry SET person = NULL, digest = NULL, client = NULL WHERE seq % 2 = 0');
  await client.query('SET session_replication_role = DEFAULT');
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

const ask = async (sql: string | pg.QueryConfig, by = auditor): Promise<Record<string, unknown>[]> =>
  (await by.query<Record<string, unknown>>(sql)).rows;

describe('the login of a reviewer', () => {
  const refused = { code: expect.stringMatching(/^(42501|25006)$/) };

  test('reads no table and writes none, whatever it sets', async () => {
    const tables = await ask(
      `SELECT quote_ident(relname) AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S')`,
      owner,
    );
    expect(tables.length).toBeGreaterThan(35);
    await auditor.query('SET default_transaction_read_only = off');
    for (const { name } of tables) {
      await expect(auditor.query(`SELECT FROM public.${String(name)}`)).rejects.toMatchObject(refused);
    }
    const sequences = ['audit_entry_seq_seq', 'insight_run_id_seq'];
    for (const name of tables.map((table) => String(table['name'])).filter((name) => !sequences.includes(name))) {
      for (const statement of [
        `INSERT INTO public.${name} DEFAULT VALUES`,
        `DELETE FROM public.${name}`,
        `TRUNCATE public.${name}`,
        `DROP TABLE public.${name}`,
        `ALTER TABLE public.${name} DISABLE TRIGGER ALL`,
      ])
        await expect(auditor.query(statement)).rejects.toMatchObject(refused);
    }
    for (const sequence of sequences)
      await expect(auditor.query(`SELECT nextval('public.${sequence}')`)).rejects.toMatchObject(refused);
  });

  test('writes through no view, and takes no other role', async () => {
    const views = await ask(`SELECT viewname AS name FROM pg_views WHERE schemaname = 'audit'`, owner);
    expect(views.length).toBeGreaterThan(9);
    for (const { name } of views) {
      await expect(auditor.query(`DELETE FROM audit.${String(name)}`)).rejects.toMatchObject({
        code: /^(42501|55000)$/,
      });
      await ask(`SELECT * FROM audit.${String(name)} LIMIT 1`);
    }
    await expect(auditor.query(`UPDATE audit.people SET role = 'admin'`)).rejects.toMatchObject(refused);
    for (const statement of [
      'SET ROLE assentry_app',
      'SET ROLE test_node',
      'SET SESSION AUTHORIZATION test_node',
      'SET session_replication_role = replica',
      'CREATE TABLE public.mine (n int)',
      'CREATE TABLE audit.mine (n int)',
      'CREATE SCHEMA mine',
      'CREATE ROLE another',
      `COPY (SELECT 1) TO PROGRAM 'cat'`,
      `SELECT pg_read_file('postgresql.conf')`,
    ])
      await expect(auditor.query(statement)).rejects.toMatchObject(refused);
  });

  test('ends statements that take too long, and starts read-only', async () => {
    const fresh = await connect((await prepareAuditor(house.server.databaseUrl, login, true)) ?? '');
    const settings = `SELECT current_setting('statement_timeout') AS timeout,
      current_setting('default_transaction_read_only') AS is_read_only, current_setting('TimeZone') AS zone`;
    expect(await ask(settings, fresh)).toEqual([{ timeout: '1min', is_read_only: 'on', zone: 'UTC' }]);
    await fresh.end();
  });

  test('is never the login of a node, and nodes keep theirs', async () => {
    await expect(prepareAuditor(house.server.databaseUrl, 'test_node', true)).rejects.toMatchObject({
      code: 'already-exists',
    });
    await (await connect(nodeUrl(house.server.databaseUrl))).end();
  });

  test('finds a comment on every view, column and function', async () => {
    const bare = `
      SELECT c.relname AS name, a.attname AS column FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum >= 0
       WHERE c.relnamespace = 'audit'::regnamespace AND coalesce(col_description(c.oid, a.attnum), '') = ''
      UNION ALL SELECT c.relname, NULL FROM pg_class c
       WHERE c.relnamespace = 'audit'::regnamespace AND obj_description(c.oid, 'pg_class') IS NULL
      UNION ALL SELECT proname, NULL FROM pg_proc p
       WHERE p.pronamespace = 'audit'::regnamespace AND obj_description(p.oid, 'pg_proc') IS NULL`;
    expect(await ask(bare)).toEqual([]);
  });

  test('sees nothing that a person or a tool wrote', async () => {
    const views = await ask(`SELECT viewname AS name FROM pg_views WHERE schemaname = 'audit'`, owner);
    let shown = '';
    for (const { name } of views) shown += JSON.stringify(await ask(`TABLE audit.${String(name)}`));
    for (const canary of [
      'Transfer the money',
      'pager',
      'yearly audit',
      'It was down',
      'Not this one',
      'alice',
      'nina',
      '"amount": 50',
    ])
      expect(shown).not.toContain(canary);
  });
});

describe('each statement of the manual runs as written', () => {
  test.each(manualStatements)('$title', async ({ title, sql }) => {
    const records = await ask(sql);
    const none = [
      'The requester approved (there must be none)',
      'Who could vote on one request',
      'Calls that a policy let pass unasked, which have no request',
      'Requests that a policy decided next to the one that they are under, as one of a space does',
    ];
    expect([title, records.length > 0]).toEqual([title, !none.includes(title)]);
  });

  test('there are the ten usual ones, and more', () => expect(manualStatements).toHaveLength(22));
});

test('views say what was erased, what is held, and whom a mail tells', async () => {
  expect(await ask('SELECT tool, ground, erased_by, agreed FROM audit.erasures')).toEqual([
    { tool: 'read_balance', ground: 'mistake', erased_by: 'operator', agreed: [] },
  ]);
  const matter = 'Case 2026-14';
  expect(await ask('SELECT scope, server, matter, placed_by, released_by FROM audit.holds ORDER BY scope')).toEqual([
    { scope: 'everything', server: null, matter, placed_by: 'operator', released_by: 'operator' },
    { scope: 'server', server: 'payments', matter, placed_by: 'operator', released_by: null },
  ]);
  expect(
    await ask('SELECT request, channel, person, webhook, kind, state FROM audit.notifications ORDER BY state'),
  ).toEqual([
    { request: null, channel: 'email', person: house.people.ada.id, webhook: null, kind: 'test', state: 'due' },
    { request: null, channel: 'email', person: house.people.ada.id, webhook: null, kind: 'test', state: 'sent' },
  ]);
});

describe('who could vote', () => {
  test('on a request: the group that its policy names, as it was then', async () => {
    const [refund] = await ask(`SELECT request FROM audit.decisions WHERE tool = 'refund' LIMIT 1`);
    const { ada, bob } = house.people;
    const seats = await ask(`SELECT name, seated_as FROM audit.could_approve('${String(refund?.['request'])}')`);
    expect(seats).toEqual([ada, bob].map(({ name }) => ({ name, seated_as: 'named' })));
    const [deployment] = await ask(`SELECT request FROM audit.decisions WHERE tool = 'deploy' LIMIT 1`);
    const anyone = await ask(`SELECT name FROM audit.could_approve('${String(deployment?.['request'])}')`);
    const { eve, chief, second } = house.people;
    expect(anyone.map(({ name }) => name)).toEqual([ada, bob, eve, chief, second].map(({ name }) => name));
  });

  test('a requester who votes is found', async () => {
    await owner.query(`BEGIN; SET LOCAL session_replication_role = replica;
      UPDATE audit_entry SET body = convert_to(jsonb_set(audit.entry(body), '{requesters}', '["${house.people.ada.id}"]')::text, 'UTF8')
       WHERE type = 'elicitation.opened' AND elicitation_id = (SELECT elicitation_id FROM vote WHERE user_id = '${house.people.ada.id}' LIMIT 1)`);
    expect(await ask('SELECT person FROM audit.votes WHERE by_requester', owner)).toEqual([
      { person: house.people.ada.id },
    ]);
    await owner.query('ROLLBACK');
  });
});

describe('each of the twenty questions', () => {
  let offline: Record<ReportId, string[]>;
  beforeAll(async () => {
    await sequenceAll(house.server.engine);
    offline = await answerOffline(house);
  });

  async function overHttp(id: ReportId, more: Record<string, string> = {}): Promise<string[]> {
    const query = new URLSearchParams({ from: `${house.from}`, to: `${house.to}`, ...narrowing(id, house), ...more });
    const answer = await house.people.reviewer.call('GET', `/api/audit/reports/${id}?${query.toString()}`);
    expect(answer.status).toBe(200);
    const report = await json<Report>(answer);
    expect(report.isCut).toBe(false);
    return answerIn(id, report);
  }

  test.each(reportIds)('%s: has one answer over HTTP, in SQL and from an export', async (id) => {
    const expected = offline[id];
    expect(await overHttp(id)).toEqual(expected);
    expect(await answerInSql(id, auditor, house)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
  });

  test.each(narrowerQuestions)('%s by %s: has one answer over HTTP, in SQL and from an export', async (id, by) => {
    const narrower = await narrow([id, by], house, offline);
    expect(await overHttp(id, { [by]: narrower.value })).toEqual(narrower.expected);
    expect(await answerInSql(id, auditor, house, narrower)).toEqual(narrower.expected);
    expect(narrower.expected.length).toBeGreaterThan(0);
  });

  test.each(['decisions', 'votes', 'access', 'policy_changes'])(
    'a planted view audit.%s that leaves out one row in two is noticed',
    async (view) => {
      const { rows } = await owner.query<{ definition: string }>(
        `SELECT pg_get_viewdef('audit.${view}'::regclass) AS definition`,
      );
      const definition = (rows[0]?.definition ?? '').trim().replace(/;$/, '');
      const thinned = `SELECT q.* FROM (SELECT *, row_number() OVER () AS row FROM (${definition}) p) q WHERE row % 2 = 0`;
      const columns = await owner.query<{ list: string }>(
        `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS list FROM pg_attribute
          WHERE attrelid = 'audit.${view}'::regclass AND attnum > 0`,
      );
      await owner.query(
        `CREATE OR REPLACE VIEW audit.${view} AS SELECT ${columns.rows[0]?.list ?? ''} FROM (${thinned}) thinned`,
      );
      try {
        const answers = await Promise.all(
          reportIds.map(async (id) => [await answerInSql(id, auditor, house), offline[id]] as const),
        );
        expect(answers.some(([answer, expected]) => answer.join() !== expected.join())).toBe(true);
      } finally {
        await owner.query(`CREATE OR REPLACE VIEW audit.${view} AS ${definition}`);
      }
    },
  );

  test('names everyone whose vote counted, and finds each of them', async () => {
    const { ada, bob, eve, chief } = house.people;
    const [decision] = await ask(
      `SELECT request, approvers, person FROM audit.decisions WHERE policy = 'payouts' LIMIT 1`,
    );
    expect(decision).toMatchObject({ approvers: [bob.id, chief.id, ada.id], person: ada.id });
    const [escalated] = await ask(`SELECT approvers FROM audit.decisions WHERE policy = 'else-the-administrator'`);
    expect(escalated).toEqual({ approvers: [chief.id] });
    const [begun] = await ask(`SELECT v.person, v.void_at IS NOT NULL AS is_void FROM audit.votes v
      WHERE policy = 'else-the-administrator' ORDER BY voted_at`);
    expect(begun).toEqual({ person: ada.id, is_void: true });
    const requestsOf = async (person: string) => {
      const filter = { from: `${house.from}`, to: `${house.to}`, policy: 'payouts', person };
      const query = new URLSearchParams(filter).toString();
      const { rows } = await json<Report>(house.people.reviewer.call('GET', `/api/audit/reports/approvals?${query}`));
      return rows.map(([request]) => request);
    };
    for (const { id } of [ada, bob, chief]) expect(await requestsOf(id)).toContain(decision?.['request']);
    expect(await requestsOf(eve.id)).toEqual([]);
  });

  const answer = async (id: string, filter: Record<string, string>): Promise<Report> => {
    const query = new URLSearchParams({ from: `${house.from}`, to: `${house.to}`, ...filter }).toString();
    return json<Report>(house.people.reviewer.call('GET', `/api/audit/reports/${id}?${query}`));
  };

  test('finds requests by requester, by name or by what stands for them, and names them', async () => {
    const byName = await answer('requests', { requester: 'nina' });
    expect(byName.rows.length).toBeGreaterThan(3);
    const place = byName.columns.findIndex(({ name }) => name === 'requester');
    const hash = String(byName.rows[0]?.[place]);
    expect(byName.names[hash]).toBe('nina');
    expect((await answer('requests', { requester: hash })).rows).toEqual(byName.rows);
    expect(await ask(`SELECT count(*)::int FROM audit.decisions WHERE requester = '${hash}'`)).toEqual([
      { count: byName.rows.length },
    ]);
    for (const id of ['approvals', 'hasty', 'own-approvals', 'automatic', 'edited'])
      expect((await answer(id, { requester: 'nobody' })).rows).toEqual([]);
    const [record] = await ask(`SELECT entry -> 'about' AS about FROM audit_log
      WHERE type = 'access.listed' AND entry #>> '{about,0}' = 'requests' ORDER BY at LIMIT 1`);
    expect(JSON.stringify(record)).not.toContain('nina');
  });

  test('does not name a requester for whom no stored request vouches', async () => {
    const { rows, columns, names } = await answer('requests', { requester: 'alice' });
    expect(Object.values(names)).toContain('alice');
    const hash = String(rows[0]?.[columns.findIndex(({ name }) => name === 'requester')]);
    const forged = '0'.repeat(64);
    const opened = `type = 'elicitation.opened' AND audit.entry(body) ->> 'requester'`;
    const bodies = await ask(`SELECT id, body FROM audit_entry WHERE ${opened} = '${hash}'`, owner);
    const write = (sql: string) => owner.query(`BEGIN; SET LOCAL session_replication_role = replica; ${sql}; COMMIT`);
    await write(`UPDATE audit_entry SET body =
      convert_to(jsonb_set(audit.entry(body), '{requester}', '"${forged}"')::text, 'UTF8') WHERE ${opened} = '${hash}'`);
    try {
      const answered = await answer('requests', { requester: forged });
      expect(answered.rows.length).toBeGreaterThan(0);
      expect(answered.names[forged]).toBeUndefined();
    } finally {
      for (const { id, body } of bodies)
        await write(
          `UPDATE audit_entry SET body = '\\x${(body as Buffer).toString('hex')}'::bytea WHERE id = '${String(id)}'`,
        );
    }
  });

  test.each(requestOutcomes)('finds the requests that are %s, and no others', async (outcome) => {
    const all = await answer('requests', {});
    const places = ['outcome', 'lapse'].map((name) => all.columns.findIndex((column) => column.name === name));
    const fitting = all.rows.filter((row) => places.some((place) => row[place] === outcome));
    expect((await answer('requests', { outcome })).rows).toEqual(fitting);
    if (['accepted', 'declined', 'expired', 'revoked'].includes(outcome)) expect(fitting.length).toBeGreaterThan(0);
  });

  test('says which name was never there, so that a typing error is no all-clear', async () => {
    expect(await answer('approvals', { tool: 'refnd' })).toMatchObject({ rows: [], unknown: ['tool'] });
    expect(await answer('requests', { client: 'Nite agent', requester: 'nnia' })).toMatchObject({
      unknown: ['client', 'requester'],
    });
    expect(await answer('overrides', { tool: 'refund' })).toMatchObject({ rows: [], unknown: [] });
    expect((await answer('approvals', { tool: 'refund' })).unknown).toEqual([]);
    const page = await house.people.reviewer.call('GET', `/api/audit/entries?digest=${'0'.repeat(64)}`);
    expect(await page.json()).toMatchObject({ entries: [], unknown: ['digest'] });
  });

  test('says that a period is still to come, or is before the log, so that it is no all-clear', async () => {
    const later = { from: `${house.to + 60_000}`, to: `${house.to + 120_000}` };
    expect(await answer('own-approvals', later)).toMatchObject({ rows: [], unknown: ['from'] });
    const earlier = { from: '0', to: `${house.from - 86_400_000}` };
    expect(await answer('own-approvals', earlier)).toMatchObject({ rows: [], unknown: ['to'] });
    const search = await house.people.reviewer.call('GET', `/api/audit/entries?from=${later.from}`);
    expect(await search.json()).toMatchObject({ entries: [], unknown: ['from'] });
    const ask = (id: string, search: string) =>
      house.people.reviewer.call('GET', `/api/audit/reports/${id}?${search}`).then(({ status }) => status);
    expect(await ask('could-approve', `to=${house.to + 30 * 86_400_000}`)).toBe(400);
    expect(await ask('requests', 'hours=5-5')).toBe(400);
  });

  test('lists the names to narrow by, for administrators and reviewers', async () => {
    const names = await json<object>(house.people.reviewer.call('GET', '/api/audit/names'));
    expect(names).toMatchObject({ clients: ['Night agent'], tools: expect.arrayContaining(['refund']) });
    expect((await house.people.ada.call('GET', '/api/audit/names')).status).toBe(403);
  });

  test('finds who read one request', async () => {
    const [reading] = await ask(`SELECT request FROM audit.access WHERE access = 'looked' LIMIT 1`);
    const { rows, columns } = await answer('readers', { request: String(reading?.['request']) });
    const place = columns.findIndex(({ name }) => name === 'request');
    expect(new Set(rows.map((row) => row[place]))).toEqual(new Set([reading?.['request']]));
    expect(rows.length).toBeGreaterThan(1);
  });

  test('verifies a receipt: genuine, altered, not ours, or none', async () => {
    const { reviewer, ada } = house.people;
    const [decision] = await ask(`SELECT request FROM audit.decisions WHERE person = '${ada.id}' LIMIT 1`);
    const path = `/api/elicitations/${String(decision?.['request'])}/receipt`;
    const receipt = await (await reviewer.call('GET', path)).text();
    const check = (text: string, by = reviewer) => by.call('POST', '/api/audit/receipts', { receipt: text });
    const verdict = async (text: string) => (await json<{ verdict: string }>(check(text))).verdict;
    expect(await json<object>(check(receipt))).toMatchObject({
      verdict: 'genuine',
      proven: { entry: { elicitation: decision?.['request'], actor: { id: ada.id } } },
      names: { [ada.id]: ada.name },
    });
    expect(await verdict(receipt.replace(/^index \d+/m, 'index 0'))).toBe('altered');
    expect(await verdict(receipt.replaceAll(/assentry\/[\w.-]+/g, 'assentry/elsewhere'))).toBe('not-ours');
    const [, key = ''] = /^— (?:\S+) (\S+)$/m.exec(receipt) ?? [];
    const otherKey = Buffer.from(key, 'base64');
    otherKey.writeUInt32BE(1);
    expect(await verdict(receipt.replace(key, otherKey.toString('base64')))).toBe('unknown-key');
    expect(await verdict('Ada approved it.')).toBe('no-receipt');
    expect((await check(receipt, ada)).status).toBe(403);
  });

  test('tells a vote on what the voter’s own key asked from one on their own request', async () => {
    const { chief } = house.people;
    const own = await ask(`SELECT DISTINCT person, by_requester, by_key_maker FROM audit.votes
      WHERE by_requester OR by_key_maker`);
    expect(own).toEqual([{ person: chief.id, by_requester: false, by_key_maker: true }]);
  });

  test('is for administrators and reviewers, and each time an entry', async () => {
    const { ada, reviewer } = house.people;
    const path = `/api/audit/reports/edited?from=${house.from}&to=${house.to}`;
    expect((await ada.call('GET', path)).status).toBe(403);
    await reviewer.call('GET', `${path}&policy=deployments`);
    const records = await ask(
      `SELECT entry #>> '{actor,id}' AS by, entry ->> 'type' AS type, entry -> 'about' AS about FROM audit_log
        WHERE entry ->> 'what' = 'report' ORDER BY at DESC, id DESC`,
    );
    expect(records).toContainEqual({
      by: reviewer.id,
      type: 'access.listed',
      about: ['edited', `from=${house.from}`, `to=${house.to}`, 'policy=deployments'],
    });
    expect(records.some(({ by }) => by === ada.id)).toBe(false);
  });

  test.each([
    ['approvals', '&tool=a b', ['tool']],
    ['approvals', '&person=ada', ['person']],
    ['access', '', ['person']],
    ['policy-changes', '&tool=refund', ['tool']],
    ['approvals', '&tool=x&from=9', ['from']],
    ['could-approve', '&hours=1-2', ['hours']],
    ['overrides', '&requester=x', ['requester']],
    ['requests', '&outcome=gone', ['outcome']],
    ['approvals', '&outcome=expired', ['outcome']],
    ['requests', '&hours=25-2', ['hours']],
    ['requests', '&hours=22-6&zone=Nowhere', ['zone']],
  ])('%s with %s is refused, and names what is wrong', async (id, query, at) => {
    const { reviewer } = house.people;
    const answer = await reviewer.call('GET', `/api/audit/reports/${id}?from=1&to=2${query}`);
    expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ path: at }] }]);
  });

  test('is no file if rows are missing in it', () => {
    const rows = [['eli_a'], ['eli_b']];
    const report = { columns: [{ name: 'request', kind: 'request' as const }], rows, names: {}, unknown: [] };
    expect(reportTable({ ...report, isCut: false })).toBe('request\r\neli_a\r\neli_b\r\n');
    expect(() => reportTable({ ...report, isCut: true })).toThrow(
      expect.objectContaining({ errors: [{ path: ['to'], message: expect.stringContaining('more than 2 rows') }] }),
    );
  });

  test('is a file as well, with names, UTC and no formulas', async () => {
    const path = `/api/audit/reports/overrides/csv?from=${house.from}&to=${house.to}`;
    const answer = await house.people.reviewer.call('GET', path);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=overrides.csv');
    const [head, first] = (await answer.text()).split('\r\n');
    expect(head).toBe(
      'request,server,tool,policy,person,person_name,approved_at,review_due_at,reviewer,reviewer_name,reviewed_at,justified',
    );
    expect(first).toMatch(/^eli_[^,]+,payments,deploy,deployments,usr_[^,]+,Person 2,2026-08-03T\d\d:[\d:.]+Z,/);
    const formula = reportTable({
      columns: [{ name: 'tool', kind: 'text' }],
      rows: [['=1+1'], ['-1'], ['a "b"'], ['plain'], [null]],
      names: {},
      isCut: false,
      unknown: [],
    });
    expect(formula).toBe(`tool\r\n"'=1+1"\r\n"'-1"\r\n"a ""b"""\r\nplain\r\n\r\n`);
  });
});

describe('some entries', () => {
  let all: StoredEvent[];
  let key = '';
  beforeAll(async () => {
    await sequenceAll(house.server.engine);
    all = await readExport(house.server.engine);
    key = (await house.server.logKeys()).keys[0]?.key ?? '';
  });

  const edited = () => all.find(({ type }) => type === 'elicitation.edited') as { digest: string; replaces: string };
  const readRequest = () =>
    (all.find(({ type }) => type === 'access.looked') as { elicitation: ElicitationId }).elicitation;
  /** Each filter alone: one that is added and has no row here does not compile. */
  const alone: { [Name in keyof LogFilter]-?: () => LogFilter } = {
    // Up to when the entries were read: each export adds one.
    from: () => ({ from: house.from + Math.floor((house.to - house.from) / 2), to: house.to }),
    to: () => ({ to: house.from + Math.floor((house.to - house.from) / 2) }),
    person: () => ({ person: house.people.bob.id as UserId }),
    request: () => ({ request: readRequest() }),
    server: () => ({ server: 'infra' }),
    tool: () => ({ tool: 'refund' }),
    policy: () => ({ policy: 'granting' }),
    outcome: () => ({ outcome: 'declined' }),
    digest: () => ({ digest: edited().digest }),
  };
  const filters: Record<string, () => LogFilter> = {
    ...alone,
    'a tool of one server': () => ({ tool: 'deploy', server: 'infra' }),
    'a person and a tool': () => ({ person: house.people.ada.id as UserId, tool: 'refund' }),
    'a digest before an edit': () => ({ digest: edited().replaces }),
    'a request and its tool': () => ({ request: readRequest(), tool: 'refund' }),
    'a period': () => ({ from: house.from, to: house.from + Math.floor((house.to - house.from) / 2) }),
  };

  test.each(Object.entries(filters))(
    'by %s: an export holds those that fit, with proof, in the order of the log',
    async (_name, filterOf) => {
      const parts: string[] = [];
      const filter = filterOf();
      const exported = await exportEntries(
        house.server.engine,
        { filter, format: 'jsonl' },
        {
          write: async (text) => void parts.push(text),
        },
      );
      const entries = readNaively(parts.join(''), key);
      expect(entries.map(({ id }) => id)).toEqual(filterNaively(all, filter));
      expect(exported.entries).toBe(entries.length);
      expect(entries.length > 0 && entries.length < all.length).toBe(true);
      const checked = await checkExport(linesOf(Readable.from(parts.map((part) => Buffer.from(part)))), [
        parseVerifierKey(key),
      ]);
      expect(checked).toMatchObject({ fault: null, entries: entries.length, filter: filterFacts(filter) });
    },
  );

  const addressOf = (filter: LogFilter, more = ''): string =>
    `/api/audit/entries?${new URLSearchParams(filterFacts(filter).map((fact) => fact.split('=') as [string, string])).toString()}${more}`;
  const search = async (address: string): Promise<LogPage> => {
    const answer = await house.people.reviewer.call('GET', address);
    expect(answer.status).toBe(200);
    return LogPage.parse(await answer.json());
  };

  test.each(Object.entries(filters))(
    'by %s: a search finds the same, page by page, the newest first',
    async (_name, filterOf) => {
      const filter = { to: house.to, ...filterOf() };
      expect(entryConditions(filterOf())).toHaveLength(Object.keys(filterOf()).length);
      const results: LogPage['entries'] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: LogPage = await search(addressOf(filter, `&limit=97${cursor && `&cursor=${cursor}`}`));
        results.push(...page.entries);
        cursor = page.cursor;
      }
      expect(results.map(({ entry }) => entry?.id).sort()).toEqual(filterNaively(all, filter).sort());
      const order = results.map(({ entry }) => `${entry?.at} ${entry?.id}`);
      expect(order).toEqual(order.toSorted().reverse());
    },
  );

  test('by a digest: a search does not find those whose digest only begins alike', async () => {
    const { digest } = edited();
    const other = digest.slice(0, -1) + (digest.endsWith('0') ? '1' : '0');
    expect((await search(addressOf({ digest: other }))).entries).toEqual([]);
  });

  // By time until enough fit, or the requests first and then their entries, as the statistics say.
  const requestFirst = 'audit_entry_elicitation_id_seq_idx|audit_entry_at_id_idx';

  test.each<[string, Parameters<typeof searchStatement>[0], string]>([
    ['nothing', {}, 'audit_entry_at_id_idx'],
    ['a period', { from: 1, to: 9e12 }, 'audit_entry_at_id_idx'],
    ['a person', { person: 'usr_x' as UserId }, 'audit_entry_person_at_id_idx[^]*audit_entry_former_person_idx'],
    ['a request', { request: 'eli_x' as ElicitationId }, 'audit_entry_elicitation_id_seq_idx'],
    ['the readings of a request', { request: 'eli_x' as ElicitationId }, 'audit_entry_read_idx'],
    ['a digest', { digest: 'a' }, 'audit_entry_digest_of_idx[^]*audit_entry_former_digest_idx'],
    ['a tool', { tool: 'refund' }, requestFirst],
    ['a server', { serverId: 'srv_x' }, requestFirst],
    ['a policy', { policy: 'none' }, 'elicitation_policy_closed_at_idx'],
    ['an outcome', { outcome: 'declined' }, requestFirst],
  ])('a search by %s is served by an index', async (_name, filter, index) => {
    const after = { at: house.to, id: 'aud_x' };
    const statement = searchStatement(filter, after, 51);
    // Few rows are read faster without an index: tell the planner that there are many.
    await owner.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
    const plan = await ask({ text: `EXPLAIN ${statement.text}`, values: statement.values }, owner);
    await owner.query('ROLLBACK');
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(new RegExp(index));
    expect(text).not.toContain('Seq Scan on audit_entry');
  });

  test('a search by a request has every reading that audit.access has for it', async () => {
    const readings = await ask(`SELECT request, array_agg(entry ORDER BY entry) AS entries FROM audit.access
      WHERE request IS NOT NULL GROUP BY request ORDER BY count(*) DESC LIMIT 5`);
    expect(readings.length).toBe(5);
    for (const { request, entries } of readings) {
      const { entries: results } = await search(addressOf({ request: request as ElicitationId }, '&limit=100'));
      const ids = results.flatMap(({ entry }) => (entry?.type.startsWith('access.') ? [entry.id] : []));
      expect(ids.sort()).toEqual(entries);
    }
  });

  test.each([
    ['tool=refnd', ['tool']],
    ['policy=refnds&server=paymnts', ['server', 'policy']],
    ['tool=refund&from=1&to=2', ['to']],
    ['tool=refund&outcome=cancelled', []],
  ])('a search for %s without a result names what was never there', async (query, unknown) => {
    const page = await search(`/api/audit/entries?${query}`);
    expect([page.entries.length, page.unknown.toSorted()]).toEqual([0, unknown.toSorted()]);
  });

  test('a search names its people and its places, and is an entry once an hour, however many pages', async () => {
    const { ada, reviewer } = house.people;
    const filter = { tool: 'refund', person: ada.id as UserId };
    const { entries, names, cursor } = await search(addressOf(filter, '&limit=2'));
    await search(addressOf(filter, `&limit=2&cursor=${cursor}`));
    expect(names[ada.id]).toBe(ada.name);
    expect(entries).toMatchObject(
      [0, 1].map(() => ({ place: expect.any(Number), server: expect.any(String), tool: 'refund' })),
    );
    const records = await ask(`SELECT entry #>> '{actor,id}' AS by FROM audit_log
      WHERE type = 'access.listed' AND entry -> 'about' = '["person=${ada.id}", "tool=refund"]'`);
    expect(records).toEqual([{ by: reviewer.id }]);
  });

  test.each([
    ['digest=abc', ['digest']],
    ['outcome=maybe', ['outcome']],
    ['person=ada', ['person']],
    ['cursor=bad', ['cursor']],
    ['limit=101', ['limit']],
    ['sql=1', ['sql']],
  ])('a search with %s is refused, and names what is wrong', async (query, at) => {
    const answer = await house.people.reviewer.call('GET', `/api/audit/entries?${query}`);
    expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ path: at }] }]);
  });

  test('approvers search for nothing, and no one finds content', async () => {
    expect((await house.people.ada.call('GET', '/api/audit/entries')).status).toBe(403);
    const answer = await house.people.reviewer.call('GET', '/api/audit/entries?limit=100&tool=deploy');
    const text = await answer.text();
    for (const canary of ['Transfer the money', 'pager', 'It was down', 'Not this one', 'alice', '"amount"'])
      expect(text).not.toContain(canary);
  });

  test('an export is an entry itself, with the filter, before anything is written', async () => {
    const write = async (): Promise<void> => {
      throw new TypeError('the disk is full');
    };
    await expect(
      exportEntries(house.server.engine, { filter: { tool: 'resize' }, format: 'csv' }, { write }),
    ).rejects.toThrow('disk is full');
    const records = await ask(`SELECT entry #>> '{actor,kind}' AS by FROM audit_log
      WHERE type = 'access.exported' AND entry -> 'about' = '["tool=resize"]'`);
    expect(records).toEqual([{ by: 'operator' }]);
  });

  test.each<[LogFilter, string]>([
    [{ tool: 'refnd' }, 'tool'],
    [{ policy: 'refnds', tool: 'refund' }, 'policy'],
    [{ digest: '0'.repeat(64) }, 'digest'],
    [{ from: Date.parse('2100-01-01') }, 'from'],
    [{ to: Date.parse('2001-01-01') }, 'to'],
  ])('an export of %j, which nothing can fit, is refused and writes nothing', async (filter, path) => {
    const parts: string[] = [];
    const target = { write: async (text: string) => void parts.push(text) };
    await expect(exportEntries(house.server.engine, { filter, format: 'jsonl' }, target)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      errors: [{ path: [path] }],
    });
    expect(parts).toEqual([]);
    const query = new URLSearchParams(
      filterFacts({ from: 0, ...filter }).map((fact) => fact.split('=') as [string, string]),
    );
    if (path === 'digest' || path === 'from') return; // the console knows no digest, and its period ends now
    const file = await house.people.reviewer.call('GET', `/api/audit/reports/approvals/csv?${query.toString()}`);
    expect([file.status, await file.json()]).toMatchObject([400, { errors: [{ path: [path] }] }]);
  });

  test('an export ends with an error, and no last line, if the log has lost an entry', async () => {
    const engine = house.server.engine;
    const parts: string[] = [];
    const readLog: typeof engine.readLog = (read) =>
      engine.readLog((snapshot) =>
        read({
          ...snapshot,
          select: async (...range) => (await snapshot.select(...range)).map((row) => ({ ...row, body: null })),
        }),
      );
    const target = { write: async (text: string) => void parts.push(text) };
    await expect(exportEntries({ ...engine, readLog }, { filter: {}, format: 'jsonl' }, target)).rejects.toMatchObject({
      code: 'proof-invalid',
    });
    expect(parts.join('')).not.toContain('"seal"');
  });
});

describe('the record of a request', () => {
  beforeAll(() => sequenceAll(house.server.engine));

  const addressOf = (id: unknown): string => `/api/audit/requests/${String(id)}`;
  async function read(id: unknown): Promise<RequestRecord> {
    const answer = await house.people.reviewer.call('GET', addressOf(id));
    expect(answer.status).toBe(200);
    return RequestRecord.parse(await answer.json());
  }
  const requestWhere = async (condition: string): Promise<string> =>
    String((await ask(`SELECT request FROM audit.decisions WHERE ${condition} LIMIT 1`))[0]?.['request']);

  test('follows from the log, and says what the views say', async () => {
    const all = await readExport(house.server.engine);
    const decisions = await ask('SELECT * FROM audit.decisions');
    const votes = await ask('SELECT * FROM audit.votes ORDER BY voted_at, vote');
    const historyOf = (id: unknown) => all.filter((event) => 'elicitation' in event && event.elicitation === id);
    const msOf = (at: unknown): number | null => (at instanceof Date ? at.getTime() : null);
    for (const { request, ...decision } of decisions) {
      const record = recordOf(historyOf(request));
      expect(record).toMatchObject({
        server: decision['server'],
        tool: decision['tool'],
        policy: `${String(decision['policy'])}@${String(decision['policy_version'])}`,
        status: decision['outcome'],
        cause: decision['cause'],
        openedAt: msOf(decision['asked_at']),
        // The entry of a decision by policy is a millisecond younger than that of its opening.
        closedAt: decision['decided_by'] === 'policy' ? expect.any(Number) : msOf(decision['decided_at']),
        revision: decision['revision'],
        digest: decision['digest'],
        requester: decision['requester'],
        requesters: decision['requesters'],
      });
      expect([record?.edits.length !== 0, record?.override !== null]).toEqual([
        decision['edited'],
        decision['override'],
      ]);
      if (decision['grant_id'] !== null) expect(record?.grant).toEqual({ id: decision['grant_id'], isGiven: false });
      expect(record?.votes.map(({ by, action, stage, factor }) => [by, action, stage, factor])).toEqual(
        votes
          .filter((vote) => vote['request'] === request)
          .map((vote) => [vote['person'], vote['choice'], vote['stage'], vote['factor']]),
      );
    }
  });

  test('has every entry in its order, each verified, with names and no content', async () => {
    const { bob, chief, reviewer } = house.people;
    const id = await requestWhere(`override AND request IN (SELECT request FROM audit.overrides WHERE justified)`);
    const record = await read(id);
    expect(record.entries.map(({ proof }) => proof)).toEqual(record.entries.map(() => 'verified'));
    const places = record.entries.map(({ place }) => Number(place));
    expect(places).toEqual(places.toSorted((place, other) => place - other));
    expect(record.head?.size).toBeGreaterThan(Number(places.at(-1)));
    expect(record.override).toMatchObject({ by: bob.id, review: { by: chief.id, isJustified: true } });
    expect([record.names[bob.id], record.names[chief.id]]).toEqual([bob.name, chief.name]);
    for (const canary of ['Transfer the money', 'pager', 'It was down', 'alice', '"amount"'])
      expect(JSON.stringify(record)).not.toContain(canary);
    const readers = await ask(
      `SELECT person FROM audit.access WHERE access = 'listed' AND entry IN
        (SELECT entry ->> 'id' FROM audit_log WHERE entry -> 'about' = '["request=${id}"]')`,
    );
    expect(readers).toEqual([{ person: reviewer.id }]);
  });

  test('says who read the content, who took a receipt, and who was refused', async () => {
    const id = await requestWhere(`tool = 'refund' AND outcome = 'accepted'`);
    const stranger = await house.server.newUser();
    expect((await house.people.ada.call('GET', `/api/elicitations/${id}/receipt`)).status).toBe(200);
    expect((await stranger.call('GET', `/api/elicitations/${id}`)).status).toBe(404);
    await sequenceAll(house.server.engine);
    const types = (await read(id)).entries.map(({ entry }) => entry?.type);
    for (const type of ['access.read', 'access.exported', 'access.refused']) expect(types).toContain(type);
  });

  test('names an entry that was changed, and an entry that this installation did not write', async () => {
    const id = await requestWhere(`tool = 'refund' AND outcome = 'declined'`);
    const bodies = `SELECT id, body FROM audit_entry WHERE elicitation_id = '${id}' AND type = 'elicitation.voted'`;
    const [vote] = await ask(bodies, owner);
    await owner.query('SET session_replication_role = replica');
    const forged = String(vote?.['body']).replace('"decline"', '"accept"');
    const write = (body: unknown) =>
      owner.query('UPDATE audit_entry SET body = $1 WHERE id = $2', [body, vote?.['id']]);
    await write(Buffer.from(forged));
    const proofs = (await read(id)).entries.map(({ entry, proof }) => [entry?.type, proof]);
    await write(vote?.['body']);
    expect(proofs.filter(([, proof]) => proof === 'broken')).toEqual([['elicitation.voted', 'broken']]);
    const body = Buffer.from(String(vote?.['body']).replace(String(vote?.['id']), 'aud_foreign'));
    await owner.query(
      `INSERT INTO audit_entry (id, at, type, elicitation_id, body, leaf_hash, mac)
       SELECT 'aud_foreign', at, type, elicitation_id, $1, leaf_hash, mac FROM audit_entry WHERE id = $2`,
      [body, vote?.['id']],
    );
    const added = (await read(id)).entries.filter(({ place }) => place === null);
    await owner.query(`DELETE FROM audit_entry WHERE id = 'aud_foreign'; SET session_replication_role = DEFAULT`);
    expect(added.map(({ proof }) => proof)).toEqual(['broken']);
  });

  test.each(['null', '[{}]', '{"type": "elicitation.voted"}'])(
    'shows an entry that was changed to %s as unreadable, and so does a search',
    async (changed) => {
      const id = await requestWhere(`tool = 'refund' AND outcome = 'declined'`);
      const vote = `elicitation_id = '${id}' AND type = 'elicitation.voted'`;
      const [before] = await ask(`SELECT body FROM audit_entry WHERE ${vote}`, owner);
      await owner.query('SET session_replication_role = replica');
      await owner.query(`UPDATE audit_entry SET body = $1 WHERE ${vote}`, [Buffer.from(changed)]);
      const { entries } = await read(id);
      const page = await house.people.reviewer.call('GET', `/api/audit/entries?request=${id}`);
      const search = LogPage.parse(await page.json());
      await owner.query(`UPDATE audit_entry SET body = $1 WHERE ${vote}`, [before?.['body']]);
      await owner.query('SET session_replication_role = DEFAULT');
      expect(entries.filter(({ entry }) => entry === null).map(({ proof }) => proof)).toEqual(['broken']);
      expect(entries.length).toBeGreaterThan(2);
      expect(search.entries.filter(({ entry }) => entry === null)).toHaveLength(1);
    },
  );

  test('is unproven if the entry that opened it cannot be read', async () => {
    const id = await requestWhere(`tool = 'refund' AND outcome = 'declined'`);
    const opening = `elicitation_id = '${id}' AND type = 'elicitation.opened'`;
    const [before] = await ask(`SELECT body FROM audit_entry WHERE ${opening}`, owner);
    await owner.query('SET session_replication_role = replica');
    await owner.query(`UPDATE audit_entry SET body = 'null' WHERE ${opening}`);
    const answer = await house.people.reviewer.call('GET', addressOf(id));
    await owner.query(`UPDATE audit_entry SET body = $1 WHERE ${opening}`, [before?.['body']]);
    await owner.query('SET session_replication_role = DEFAULT');
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'unproven' }]);
  });

  test('is not for approvers, and there is none for what was never asked', async () => {
    const id = await requestWhere('true');
    expect((await house.people.ada.call('GET', addressOf(id))).status).toBe(403);
    expect((await house.people.reviewer.call('GET', addressOf('eli_AAAAAAAAAAAAAAAAAAAAAA'))).status).toBe(404);
  });

  test('is served by two indexes', async () => {
    const { text, values } = aboutStatement('eli_x' as ElicitationId);
    await owner.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
    const plan = await ask({ text: `EXPLAIN ${text}`, values }, owner);
    await owner.query('ROLLBACK');
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).toMatch(/audit_entry_elicitation_id_seq_idx[^]*audit_entry_read_idx/);
  });
});
