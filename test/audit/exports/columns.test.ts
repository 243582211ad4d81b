import { afterAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import pg from 'pg';
import { auditEntry } from '#audit/entries/rules/entry';
import { checkExport, linesOf, type CheckedExport } from '#audit/exports/rules/check';
import { parseVerifierKey } from '#audit/tree/rules/notes';
import { newId } from '#platform/crypto/random';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { setConfirmation } from '#people/groups/verbs';
import { addRole } from '#people/roles/verbs';
import { decidePair } from '#people/accounts/verbs/decide-pair';
import { keepAddress } from '#access/oidc/verbs/sign-in';
import { addSpace, moveToSpace, setSpaceRole } from '#people/spaces/verbs';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { allowForAnHour } from '../../support/requests/grant.ts';
import { oktaUser, scimAt, scimProvider } from '../../support/nodes/scim.ts';
import { addTotpRow } from '../../support/nodes/totp-row.ts';
import { sequenceAll, verify } from '../../support/nodes/log.ts';
import { newGroup, publish, setUser } from '../../support/requests/policies.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { openStaged } from '../../support/requests/staged.ts';
import { stageOf } from '../../support/requests/stages.ts';
import { json } from '../../support/json.ts';
import { drawn, isNight } from '../../support/runs.ts';

/** What no execution is to be had of. */
const closed: OpenedElicitation[] = [];
/** Of requests for another tool than usual. */
const tools: Record<string, string> = {};
const grantedCall = { tool: { name: 'granting' }, requester: { subject: 'alice', verified: true } };

/** Of these no entry tells; docs/audit/verification.md says why. */
const untold: Record<string, string[] | 'all'> = {
  outbox: 'all',
  epoch: 'all',
  session: 'all',
  sign_in_budget: 'all',
  federated_identity: 'all',
  sign_in_attempt: 'all',
  logout_notice: 'all',
  group_member: ['source'],
  link: 'all',
  token: 'all',
  call_memo: 'all',
  once_call: 'all',
  callback_report: 'all',
  passed_call: 'all',
  passed_look: 'all',
  page_proof: 'all',
  page_try: 'all',
  chat_request: 'all',
  chat_message: 'all',
  chat_delivery: 'all',
  notification: 'all',
  webhook: 'all',
  push_device: 'all',
  push_key: 'all',
  approver_turn: 'all',
  upstream_credential: 'all',
  registered_client: 'all',
  connection_attempt: 'all',
  connection_withdrawal: 'all',
  expectation: 'all',
  provider_event: 'all',
  saved_view: 'all',
  passkey_challenge: 'all',
  server_tool: 'all',
  notification_setting: 'all',
  outbox_reader: 'all',
  outbox_head: 'all',
  last_backup: 'all',
  shadow_result: 'all',
  secret: 'all',
  audit_cosignature: 'all',
  audit_stream: 'all',
  node: 'all',
  insight_tool: 'all',
  insight_tool_week: 'all',
  insight_wait: 'all',
  insight_person: 'all',
  insight_person_week: 'all',
  insight_policy: 'all',
  insight_burst: 'all',
  insight_run: 'all',
  insight_state: 'all',
  _prisma_migrations: 'all',
  elicitation: ['wake_at', 'also_by'],
  passkey: ['counter', 'used_at'],
  totp: ['sealed', 'last_step', 'used_codes'],
  vote: ['cast'],
  app_user: ['epoch'],
  api_key: ['last_used_at'],
  scim_token: ['last_used_at'],
  admin_token: ['last_used_at'],
  workload: ['last_used_at'],
  // Only the order of those about one row counts: another one is named, as evidence.test.ts shows.
  audit_entry: ['seq'],
  // When a head was signed stands in no head; what it covers does.
  audit_checkpoint: ['at'],
};

const isTold = (name: string): boolean => {
  const [table = '', column = ''] = name.split('.');
  return untold[table] !== 'all' && !untold[table]?.includes(column);
};

/** Each step of the filling must have been taken. */
async function must(response: Promise<Response>): Promise<void> {
  const answer = await response;
  if (!answer.ok) throw new TypeError(`${answer.url}: ${answer.status} ${await answer.text()}`);
}

const say = (by: Browser, { id, digest }: OpenedElicitation, verb: string, body: object) =>
  must(by.call('POST', `/api/elicitations/${id}/${verb}`, verb === 'comments' ? body : { digest, ...body }));
const accept = (by: Browser, request: OpenedElicitation) => say(by, request, 'vote', { action: 'accept', content: {} });
const decline = (by: Browser, request: OpenedElicitation) =>
  say(by, request, 'vote', { action: 'decline', comment: 'not this one' });
/** As the tool that was asked for would. */
const claim = ({ id, toolCall }: OpenedElicitation, attempt: string) =>
  asking.claim(toolCall, attempt, id in tools ? { tool: { name: tools[id] ?? '' } } : {});
const complete = ({ toolCall }: OpenedElicitation, delivered: boolean) =>
  asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, { attempt: 'first', delivered, result: { ok: true } });

/** A bit of everything: each kind of row is there, and each way for a request to stand. */
async function fill(): Promise<void> {
  await publish(server, 'policy: denying\nmatch: { tool: denied }\ndeny: { reason: Never. }\n');
  await newGroup(server, 'finance', [ada]);
  await setUser(server, bob, { mayBreakGlass: true });
  await decidePair(server.engine, 'operator', { user: ada.user.id, other: bob.user.id, answer: 'two-people' });
  await keepAddress(server.engine, { ...scimProvider('okta'), domains: ['example.org'] }, ada.user.id, {
    email: 'ada@example.org',
    email_verified: true,
  });
  const [open, half, declined, cancelled] = await Promise.all([1, 2, 3, 4].map(() => asking.open()));
  const two = await openStaged(server, asking, { stages: [stageOf({ approve: 2 })] });
  await accept(ada, two);
  await say(ada, half!, 'comments', { text: 'I know of this one.' });
  await decline(ada, declined!);
  await must(asking.call('POST', `/v1/elicitations/${cancelled!.id}/cancel`, {}));
  const [claimed, completed, settled] = await Promise.all([1, 2, 3].map(() => asking.open()));
  for (const request of [claimed, completed, settled]) {
    await accept(ada, request!);
    await must(claim(request!, 'first'));
  }
  await complete(completed!, false);
  await complete(settled!, true);
  const first = await asking.open({ call: 'of two' });
  await decline(ada, await asking.open({ call: 'of two', step: '1', message: 'And this?' }));
  await accept(ada, first);
  const denied = await openFor('denied');
  const edited = await openStaged(server, asking, { terms: { editable: { amount: { type: 'number' } } } });
  await say(ada, edited, 'edit', { arguments: { amount: 50 } });
  const broken = await asking.open();
  await say(bob, broken, 'break-glass', { reason: 'Production is down, says the pager.', content: {} });
  await must(claim(broken, 'first'));
  const admin = await openBrowser(server, 'admin', 'password');
  const finding = { isJustified: true, finding: 'It was down.' };
  await must(admin.call('POST', `/api/elicitations/${broken.id}/break-glass/review`, finding));
  await must(admin.call('POST', `/api/elicitations/${declined!.id}/look`, { reason: 'The yearly audit.' }));
  await server.applyPolicies(['policy: sampled\nmatch: { tool: sampled }\nallow: { sample: 100% }']);
  const sampled = await asking.open({ tool: { name: 'sampled', annotations: { readOnlyHint: true } } });
  await must(admin.call('POST', `/api/elicitations/${sampled.id}/look`, { reason: 'It was chosen.' }));
  await must(admin.call('POST', `/api/elicitations/${sampled.id}/look-back/review`, { shouldHaveAsked: false }));
  const [revoked, stopped] = [await asking.open(), await openFor('stopped')];
  await accept(ada, revoked);
  await say(ada, revoked, 'revoke', {});
  await accept(ada, stopped);
  await stopTool(admin, 'stopped');
  const lifted = await stopTool(admin, 'lifted');
  await must((await openBrowser(server, 'admin', 'password')).call('POST', `/api/stops/${lifted}/lift`));
  for (const { id } of [declined!, settled!]) {
    const hold = { scope: 'request', request: id, reason: 'A court asks for it.' };
    await must(admin.call('POST', '/api/holds', hold));
  }
  await addPasskey(bob);
  await addTotpRow(server.engine, bob.user.id);
  const { grant } = await allowForAnHour(server, ada);
  await must(ada.call('POST', `/api/grants/${grant}/revoke`));
  const away = { toId: bob.user.id, endsAt: Date.now() + 3_600_000 };
  await must(ada.call('POST', '/api/delegations', away));
  await provision();
  await groupInSpace();
  await makeToken();
  closed.push(
    open!,
    half!,
    two,
    declined!,
    cancelled!,
    claimed!,
    settled!,
    first,
    denied,
    edited,
    broken,
    revoked,
    stopped,
  );
}

const workloadIssuer = 'https://ci.example.com';

/**
 * Every column of every table is changed in the database: as the login that the server runs under, and if that may not,
 * as a superuser whom no trigger stops. Nothing is released by it that was not, and verification names it.
 */
const server = await startTestServer({
  signInProviders: [scimProvider('okta')],
  workloadIssuers: [{ issuer: workloadIssuer, longestLife: 60 }],
});
const asking = askingAt(server.url, await server.newServerKey());
const [ada, bob] = [await openBrowser(server), await openBrowser(server, 'approver', 'password')];
const intruder = new pg.Client({ connectionString: server.databaseUrl });
afterAll(async () => {
  await intruder.end();
  await server.stop();
});
await intruder.connect();
await fill();
await sequenceAll(server.engine);
await keepAll();

/** An administrator makes a token for a program; in a trial, alone. The operator binds a workload. */
async function makeToken(): Promise<void> {
  const terms = { name: 'ci', permissions: ['change-keys'], networks: ['10.0.0.0/8'] };
  const admin = await openBrowser(server, 'admin');
  const { status } = await admin.call('POST', '/api/admin-tokens', terms);
  expect(status).toBe(201);
  const subject = 'repo:acme/payments:*';
  await server.workloads.add('payments', {
    issuer: workloadIssuer,
    audience: 'assentry',
    subject,
    claims: { ref: 'main' },
  });
}

/** A provider adds two people and a group, and deletes one of them. */
async function provision(): Promise<void> {
  const okta = scimAt(server.url, (await server.scim.createToken('okta')).token);
  const [stays, leaves] = [
    await okta.call('POST', '/Users', oktaUser('ivo')),
    await okta.call('POST', '/Users', oktaUser('jo')),
  ];
  const group = { displayName: 'provisioned', externalId: 'g-1', members: [{ value: stays.body.id }] };
  const statuses = [await okta.call('POST', '/Groups', group), await okta.call('DELETE', `/Users/${leaves.body.id}`)];
  expect(statuses.map(({ status }) => status)).toEqual([201, 204]);
}

/** A space with a member, a server and a group. */
async function groupInSpace(): Promise<void> {
  const space = await addSpace(server.engine, 'operator', 'Payments');
  await setSpaceRole(server.engine, 'operator', { space, user: bob.user.id, role: 'operator' });
  await server.newServerKey('spaced');
  const { servers, groups } = await server.engine.directory.read();
  const moved = servers.find(({ name }) => name === 'spaced')!;
  await moveToSpace(server.engine, 'operator', { space, server: moved.id });
  const group = groups.find(({ name }) => name === 'provisioned')!;
  await moveToSpace(server.engine, 'operator', { space, group: group.id });
  await addRole(server.engine, 'operator', { name: 'key-keeper', permissions: ['change-keys'] });
  await setConfirmation(server.engine, 'operator', { id: group.id, days: 1, owners: [bob.user.id] });
}

async function openFor(tool: string): Promise<OpenedElicitation> {
  const request = await asking.open({ tool: { name: tool } });
  tools[request.id] = tool;
  return request;
}

/** One that its person has removed. */
async function addPasskey({ user: { id: userId } }: Browser): Promise<void> {
  const { passkeys } = server.engine;
  const [id, entryId, credentialId] = [newId('passkey'), newId('entry'), 'AAAA'];
  const key = {
    credentialId,
    publicKey: Buffer.from('a key'),
    transports: ['usb'],
    aaguid: 'one',
    isBackedUp: false,
    isSyncable: true,
  };
  const passkey = { id, userId, ...key, name: 'One', issuedBy: ada.user.id, entryId, addedAt: 1, removedAt: null };
  const parts = { user: userId, passkey: id, credential: credentialId };
  const added = {
    type: 'user.passkey-added',
    ...parts,
    publicKey: '',
    site: '',
    origin: '',
    isBackedUp: false,
  } as const;
  await passkeys.add(passkey, 0, auditEntry(entryId, 1, { kind: 'user', id: userId }, added), async () => {});
  const gone = { type: 'user.passkey-removed', ...parts } as const;
  await passkeys.remove(
    id,
    userId,
    Buffer.of(),
    auditEntry(newId('entry'), 2, { kind: 'user', id: userId }, gone),
    async () => {},
  );
}

async function stopTool(admin: Browser, tool: string): Promise<string> {
  const answer = await admin.call('POST', '/api/stops', { tool, reason: 'We look into it.' });
  return (await json<{ id: string }>(answer)).id;
}

async function tables(): Promise<{ table: string; column: string; type: string }[]> {
  const { rows } = await intruder.query<{ table: string; column: string; type: string }>(
    `SELECT c.table_name AS table, column_name AS column, data_type AS type FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1, ordinal_position`,
  );
  return rows;
}

async function keepAll(): Promise<void> {
  await intruder.query('CREATE SCHEMA kept');
  for (const table of new Set((await tables()).map((table) => table.table))) {
    await intruder.query(`CREATE TABLE kept.${table} AS TABLE public.${table}`);
  }
}

const past = 'SET session_replication_role = replica';

/** At one moment, and not while the log grows. */
async function restore(tables: Iterable<string>): Promise<void> {
  await intruder.query(`BEGIN; LOCK TABLE audit_queue; ${past}`);
  const { rows } = await intruder.query<{ table: string }>(
    [...tables]
      .filter((table) => table !== 'epoch')
      .map((table) => `SELECT '${table}' AS table WHERE ${differs(table)}`)
      .join(' UNION ALL '),
  );
  for (const { table } of rows) {
    await intruder.query(`DELETE FROM public.${table}; INSERT INTO public.${table} SELECT * FROM kept.${table}`);
  }
  await intruder.query('UPDATE epoch SET value = value + 1; COMMIT; RESET session_replication_role');
}

/** What a check of the table lets them be, in SQL. */
const choices: Record<string, string> = {
  'tool_call.state': `CASE WHEN lapse IS NULL THEN 'open' ELSE state END`,
  'tool_call.lapse': `CASE WHEN lapse IS NULL AND state = 'settled' THEN 'lapsed' END`,
  'app_user.role': `'admin'`,
  'remark.kind': `'question'`,
  'space_member.role': `'space-admin'`,
  'custom_role.permissions': `ARRAY['publish-policies']`,
  'custom_role.name': `'another'`,
  'policy_version.state': `'draft'`,
};

/** Other values for this column, the most dangerous first; the first that the table takes is tried. */
function changesOf(table: string, column: string, type: string): string[] {
  const name = `"${column}"`;
  const another = `${name} = (SELECT o.${name} FROM ${table} o WHERE o.${name} IS DISTINCT FROM t.${name} LIMIT 1)`;
  if (column === 'status') return [`status = 'accepted', closed_at = coalesce(closed_at, now())`];
  if (column === 'closed_at') return [`closed_at = now(), status = 'accepted'`];
  const existing = choices[`${table}.${column}`];
  if (existing !== undefined) return [`${name} = ${existing}`];
  switch (type) {
    case 'integer':
    case 'bigint':
    case 'numeric':
      return [`${name} = coalesce(${name}, 0) + 1`, another];
    case 'boolean':
      return [`${name} = NOT ${name}`];
    case 'timestamp with time zone':
      return [
        `${name} = CASE WHEN ${name} IS NULL THEN now() END`,
        `${name} = ${name} + interval '1 day'`,
        `${name} = ${name} - interval '1 day'`,
      ];
    case 'bytea':
      return [
        `${name} = set_byte(${name}, length(${name}) - 1, get_byte(${name}, length(${name}) - 1) # 1)`,
        another,
        `${name} = '\\x00'`,
      ];
    case 'jsonb':
      return [
        `${name} = CASE jsonb_typeof(${name}) WHEN 'array' THEN '[]'::jsonb ELSE ${name} || '{"value":"accepted"}' END`,
      ];
    case 'ARRAY':
      return [`${name} = ${name} || '{another}'::text[]`];
    default:
      return [another, `${name} = ${name} || 'x'`, `${name} = 'another'`];
  }
}

/** Whether any way was found to change it, and as whom. */
async function tamper(table: string, column: string, type: string): Promise<'app' | 'superuser' | null> {
  const all = changesOf(table, column, type).flatMap((set) => [
    `UPDATE ${table} t SET ${set}`,
    `UPDATE ${table} t SET ${set} WHERE ctid = (SELECT max(ctid) FROM ${table})`,
  ]);
  for (const who of ['app', 'superuser'] as const) {
    await intruder.query(who === 'app' ? 'SET ROLE assentry_app' : past);
    for (const sql of all) {
      await intruder.query('BEGIN');
      const changed = await intruder.query(sql).then(
        () => isChanged(table),
        () => false,
      );
      await intruder.query(changed ? 'COMMIT' : 'ROLLBACK');
      if (!changed) continue;
      await intruder.query('RESET ROLE; RESET session_replication_role');
      return who;
    }
    await intruder.query('RESET ROLE; RESET session_replication_role');
  }
  return null;
}

/** Of each person a trigger counts changes, also of nothing. */
const rowsOf = (table: string): string =>
  table.endsWith('.app_user') ? `SELECT to_jsonb(t) - 'epoch' FROM ${table} t` : `TABLE ${table}`;

/** Whether it has other rows than were kept, in SQL. */
const differs = (table: string): string =>
  `EXISTS ((${rowsOf(`public.${table}`)} EXCEPT ALL ${rowsOf(`kept.${table}`)})
     UNION ALL (${rowsOf(`kept.${table}`)} EXCEPT ALL ${rowsOf(`public.${table}`)}))`;

async function isChanged(table: string): Promise<boolean> {
  await intruder.query('RESET ROLE');
  const { rows } = await intruder.query<{ changed: boolean }>(`SELECT ${differs(table)} AS changed`);
  return rows[0]!.changed;
}

async function released(): Promise<string[]> {
  const answers = await Promise.all(
    closed.map(async (request) => {
      const { state } = await json<{ state?: string }>(claim(request, 'intruder'));
      return state === 'claimed' ? [request.id] : [];
    }),
  );
  return answers.flat();
}

test('no execution is released by what is changed in the database, and verification names it', async () => {
  expect(await verify(server.engine)).toMatchObject({ fault: null });
  expect(await released()).toEqual([]);
  const unnamed: string[] = [];
  const harmful: string[] = [];
  const untouched: string[] = [];
  const how = { app: 0, superuser: 0 };
  const whole = await tables();
  const all = new Set(whole.map(({ table }) => table));
  const columns = drawn('columns', whole, { least: whole.length / 6, values: ({ table, type }) => [table, type] });
  for (const { table, column, type } of columns) {
    const who = await tamper(table, column, type);
    if (who === null) {
      untouched.push(`${table}.${column}`);
      continue;
    }
    how[who] += 1;
    harmful.push(...(await released()).map((id) => `${table}.${column}: ${id}`));
    if (table === 'app_grant') {
      const again = await asking.open({ ...grantedCall, arguments: { amount: 1 }, call: column });
      if (again.status !== 'open') harmful.push(`${table}.${column}`);
    }
    if (isTold(`${table}.${column}`) && (await verify(server.engine)).fault === null)
      unnamed.push(`${table}.${column}`);
    // What follows from other people, policies or times, in the database or in good faith of the server, goes as well.
    await restore(all);
  }
  expect(await verify(server.engine)).toMatchObject({ fault: null }); // nothing was named for what was changed before it
  expect(harmful).toEqual([]);
  expect(unnamed).toEqual([]);
  expect(how.app).toBeGreaterThan(isNight ? 80 : 5);
  expect(how.superuser).toBeGreaterThan(isNight ? 30 : 1);
  // Nothing waits for its place, and of what is gone soon there may be none.
  expect(untouched.filter((name) => isTold(name) && !name.startsWith('audit_queue.'))).toEqual([]);
}, 1_200_000);

/** Says the same of another person, in these entries, with the hash of each made to fit. */
const rewrite = (text: string): string =>
  `UPDATE audit_entry SET body = b.body, leaf_hash = sha256('\\x00'::bytea || b.body)
     FROM (SELECT id, convert_to(${text}, 'UTF8') AS body FROM (SELECT id, convert_from(body, 'UTF8') AS body FROM audit_entry) e) b
    WHERE b.id = audit_entry.id AND b.body <> audit_entry.body`;
const swapped = (text: string): string => {
  const [first, second] = [ada.user.id, bob.user.id];
  return `replace(replace(replace(${text}, '${first}', '#'), '${second}', '${first}'), '#', '${second}')`;
};

test.each<[string, () => string[], RegExp, RegExp | null]>([
  [
    'swaps two people in the votes',
    () => [`UPDATE vote SET user_id = ${swapped('user_id')} WHERE user_id IN ('${ada.user.id}', '${bob.user.id}')`],
    /^The row vot_/,
    null,
  ],
  [
    'swaps them in the entries as well',
    () => [
      `UPDATE vote SET user_id = ${swapped('user_id')} WHERE user_id IN ('${ada.user.id}', '${bob.user.id}')`,
      rewrite(swapped('body')),
      `UPDATE audit_entry SET person = ${swapped('person')} WHERE person IN ('${ada.user.id}', '${bob.user.id}')`,
    ],
    /^The entry at place \d+ is not the one that was logged\.$/,
    /^Line \d+: /,
  ],
  [
    'gives a person another name in retrospect',
    () => [`UPDATE app_user SET name = 'Mallory' WHERE id = '${ada.user.id}'`],
    /^The row usr_/,
    null,
  ],
])(
  'a superuser who %s is found out by the self-check, and offline if entries changed',
  async (_name, statements, online, offline) => {
    await intruder.query(past);
    for (const sql of statements()) expect((await intruder.query(sql)).rowCount).toBeGreaterThan(0);
    await intruder.query('RESET session_replication_role');
    const [{ fault }, checked] = [await verify(server.engine), await checkOffline()];
    await restore(new Set((await tables()).map(({ table }) => table)));
    expect(fault).toMatch(online);
    if (offline) expect(checked.fault).toMatch(offline);
    else expect(checked.fault).toBeNull(); // the entries are genuine, and name who it was
    expect((await verify(server.engine)).fault).toBeNull();
  },
);

/** An export of the whole log, verified by its file and the key alone. */
async function checkOffline(): Promise<CheckedExport> {
  const lines: string[] = [];
  const write = async (text: string) => void lines.push(text);
  await server.exportEntries({}, 'jsonl', { write });
  const { keys } = await server.logKeys();
  return checkExport(
    linesOf(Readable.from([Buffer.from(lines.join(''))])),
    keys.map(({ key }) => parseVerifierKey(key)),
  );
}

test('the manual lists every table that no entry records', () => {
  const manual = readFileSync('docs/audit/verification.md', 'utf8');
  const names = Object.entries(untold).flatMap(([table, columns]) =>
    columns === 'all' ? [table] : columns.map((column) => `${table}.${column}`),
  );
  expect(names.filter((name) => !manual.includes(`\`${name}\``))).toEqual([]);
});
