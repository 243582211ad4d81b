import { afterAll, expect, test } from '@jest/globals';
import { askingAt, question } from '../support/nodes/asking.ts';
import { disguises, stillHidden, untold } from '../support/disguises.ts';
import { startTestServer, testSecrets } from '../support/nodes/server.ts';
import { killProcesses, runAssentry, type Ended } from './assentry-process.ts';
import { nodeUrl } from '../support/databases/node-login.ts';

const password = 'correct horse battery';
const server = await startTestServer();
afterAll(async () => {
  await killProcesses();
  await server.stop();
});

const secrets = testSecrets.map(({ kid, secret }) => `${kid}:${secret}`).join(',');
const run = (line: string, input = ''): Promise<Ended> =>
  runAssentry(line.split(' '), {
    env: { DATABASE_URL: nodeUrl(server.databaseUrl), ASSENTRY_SECRETS: secrets, ASSENTRY_PUBLIC_URL: server.url },
    input,
  });

/** The one JSON document that is all of standard output. */
async function outputOf(line: string, input?: string): Promise<unknown> {
  const ended = await run(`${line} --json`, input);
  expect(ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\{.*\}\n$/) });
  return JSON.parse(ended.stdout);
}

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(body),
  });
const enter = async (email: string, typed = password) =>
  (await post('/api/session', { email, password: typed })).status;

test('an operator keeps people, groups and owners', async () => {
  await server.addUser({ email: 'ada@example.com', name: 'ada', role: 'admin', password });
  await server.newServerKey('payments');
  const [, finance] = await Promise.all([
    outputOf('user add grace@example.com --role approver --password-stdin', password),
    outputOf('group create finance'),
  ]);
  expect(finance).toMatchObject({ group: { name: 'finance', members: [] } });
  const set =
    'user set Grace@example.com --manager ada@example.com --subject auth0|7 grace --chat U0123ABCD --break-glass yes';
  const [user, both, owned] = await Promise.all([
    outputOf(set),
    outputOf('group add finance grace@example.com ada@example.com'),
    run('server set payments --owner Grace@example.com'),
  ]);
  const grace = { email: 'grace@example.com', manager: { name: 'ada' }, subjects: ['auth0|7', 'grace'] };
  expect(user).toMatchObject({ user: { ...grace, mayBreakGlass: true } });
  expect(both).toMatchObject({ group: { members: [expect.anything(), expect.anything()] } });
  expect(owned).toMatchObject({ code: 0, stdout: 'payments: owned by grace\n' });
  await outputOf('group remove finance ada@example.com');
  const [groups, users, servers] = await Promise.all([run('group list'), run('user list'), outputOf('server list')]);
  expect(groups.stdout).toBe('finance: grace <grace@example.com>\n');
  const parts = 'may use the emergency override; reports to ada@example.com; in finance';
  const names = 'MCP clients know them as auth0|7, grace; U0123ABCD in Slack';
  expect(users.stdout).toBe(`ada <ada@example.com>: admin\ngrace <grace@example.com>: approver; ${parts}; ${names}\n`);
  expect(servers).toMatchObject({ servers: [{ name: 'payments', owner: { name: 'grace' } }] });
});

test('a disabled person is signed out and cannot sign in until enabled again, with the same password', async () => {
  const session = await post('/api/session', { email: 'grace@example.com', password });
  const headers = { cookie: session.headers.get('set-cookie')?.split(';')[0] ?? '' };
  const status = async () => (await fetch(`${server.url}/api/session`, { headers })).status;
  expect(await status()).toBe(200);
  const disabled = await run('user disable Grace@example.com');
  expect(disabled.stdout).toContain('grace <grace@example.com>: approver; disabled: cannot sign in or vote;');
  expect([await status(), await enter('grace@example.com')]).toEqual([401, 401]);
  expect(await outputOf('user enable grace@example.com')).toMatchObject({ user: { disabledAt: null } });
  expect([await status(), await enter('grace@example.com')]).toEqual([401, 200]); // the old session stays ended
});

test('a person added without a password sets one with the link, and again with a new one', async () => {
  const added = await run('user add eve@example.com --role reviewer --name Eve');
  const [, link] = /\/password#link=([\w-]{43})\n$/.exec(added.stdout) ?? [];
  expect(added.stdout).toMatch(/^Eve <eve@example.com> is added as reviewer\.\nGive them this link\./);
  expect((await run('user list')).stdout).toContain('Eve <eve@example.com>: reviewer; no password set yet\n');
  expect((await post('/api/password', { link, password })).status).toBe(200);
  const again = (await outputOf('user link Eve@example.com')) as { link: { address: string } };
  const { hash } = new URL(again.link.address);
  const set = { link: hash.replace('#link=', ''), password: `${password} 2` };
  expect((await post('/api/password', set)).status).toBe(200);
  expect([await enter('eve@example.com'), await enter('eve@example.com', set.password)]).toEqual([401, 200]);
});

test('keys are listed without what is secret, and revoked by what they are known by', async () => {
  const key = await server.newServerKey('ledger');
  const kid = key.split('_')[1] ?? '';
  const asking = askingAt(server.url, key);
  await asking.open();
  const [listed, item] = await Promise.all([run('key list --server ledger'), outputOf('key list --server ledger')]);
  expect(listed.stdout).toMatch(new RegExp(`^${kid} ledger: made 20[\\d: -]+Z; last used 20[\\d: -]+Z\\n$`));
  const named = { kid, server: { name: 'ledger' }, createdAt: expect.any(Number), lastUsedAt: expect.any(Number) };
  expect(item).toMatchObject({ keys: [{ ...named, revokedAt: null }] });
  expect(listed.stdout + JSON.stringify(item)).not.toContain(key.slice(-30));
  const next = (await outputOf(`key rotate ${kid} --overlap 90m`)) as { kid: string; key: string; endsAt: number };
  expect(next).toMatchObject({ server: 'ledger', replaces: kid, key: expect.stringContaining(`asn_${next.kid}_`) });
  expect((await askingAt(server.url, next.key).call('POST', '/v1/elicitations', question)).status).toBe(200);
  expect((await run('key list --server ledger')).stdout).toMatch(
    new RegExp(`^${kid} .*; replaced by ${next.kid}; expires 20[^;]*\\n${next.kid} [^;]*; last used [^;]*\\n$`),
  );
  expect((await run(`key rotate ${kid}`)).stderr).toContain(`Use the key ${next.kid}: it was made to follow this one.`);
  for (const overlap of ['soon', '31d'])
    expect((await run(`key rotate ${next.kid} --overlap ${overlap}`)).code).not.toBe(0);
  expect((await run(`key revoke ${kid}`)).stdout).toContain('; revoked 20');
  expect((await asking.call('POST', '/v1/elicitations', question)).status).toBe(401);
});

test('a key is made for networks; the list says which keys expire soon or are not used', async () => {
  const created = await run('key create --server far --network 203.0.113.0/24 2001:db8::/32 --expires-in 3');
  const [key = ''] = created.stdout.split('\n');
  expect((await askingAt(server.url, key).call('POST', '/v1/elicitations', question)).status).toBe(401);
  const wrong = await run('key create --server far --network 203.0.113.0/33');
  expect(wrong.stderr).toContain('networks: Give networks such as 10.0.0.0/8');
  expect((await run('key list --server far')).stdout).toMatch(
    /; never used; only from 203\.0\.113\.0\/24, 2001:db8::\/32; expires 20[^;]*; EXPIRES WITHIN 14 DAYS: rotate it\n$/,
  );
  expect(await outputOf('key list --server far')).toMatchObject({ keys: [{ marks: ['expires-soon'] }] });
  const kid = key.split('_')[1] ?? '';
  expect((await run(`key set ${kid} --network office`)).stderr).toContain(
    '--network: Give networks such as 10.0.0.0/8',
  );
  expect((await run(`key set ${kid} --network 127.0.0.0/8`)).stdout).toContain('; only from 127.0.0.0/8; ');
  expect((await askingAt(server.url, key).call('POST', '/v1/elicitations', question)).status).toBe(201);
  expect((await run(`key set ${kid} --network anywhere`)).stdout).not.toContain('only from');
});

test('AI-04: no name reaches a terminal as it was stored, nor breaks out of its line', async () => {
  const names = disguises.map(({ text }) => text);
  await Promise.all([
    server.addUser({ email: 'mallory@example.com', name: names.slice(0, 25).join(' '), role: 'reviewer', password }),
    server.addUser({ email: 'trudy@example.com', name: names.slice(25).join(' '), role: 'reviewer', password }),
    server.addUser({
      email: 'oscar@example.com',
      name: 'a\nada <root@example.com>: admin',
      role: 'reviewer',
      password,
    }),
  ]);
  const [listed, document] = await Promise.all([run('user list'), run('user list --json')]);
  expect([untold(listed.stdout), stillHidden(listed.stdout)]).toEqual([[], []]);
  expect(listed.stdout).toContain('\na⟨U+000A⟩ada <root@example.com>: admin <oscar@example.com>: reviewer\n');
  expect(stillHidden(document.stdout)).toEqual([]);
  const { users } = JSON.parse(document.stdout) as { users: { name: string }[] };
  expect(users.map(({ name }) => name)).toContain(names.slice(25).join(' '));
  const refused = await run('group add \u009B2Jx ada@example.com');
  expect(refused.stderr).toContain('⟨U+009B⟩2Jx');
});

test('what cannot be is refused in words', async () => {
  const cases: [string, number, string][] = [
    ['user set ada@example.com --role approver', 1, 'This is the last administrator.'],
    ['user set ada@example.com', 2, 'Say what to change'],
    ['user set ada@example.com --chat ada', 2, '--chat: Give the ID of a member'],
    ['user link nobody@example.com', 1, 'Check the address: there is no person with nobody@example.com.'],
    ['group add finances ada@example.com', 1, 'Check the name: there is no group called finances.'],
    ['key revoke asn_0123456789abcdef', 2, 'KID: Give the 16 characters'],
    ['key revoke 0123456789abcdef', 1, 'Give the id of an existing key.'],
    ['server set payment --owner none', 1, 'Check the name: there is no server called payment.'],
  ];
  // One after the other: each locks the directory, and waits for it for a bounded time only.
  for (const [line, code, why] of cases) {
    const refused = await run(line);
    expect([line, refused.code, refused.stdout]).toEqual([line, code, '']);
    expect(refused.stderr).toContain(why);
  }
});

test('an operator says which accounts are of one person, and what may be so is listed until then', async () => {
  await server.addUser({ email: 'mary@example.com', name: 'Mary Jackson', role: 'approver', password });
  await server.addUser({ email: 'mary+two@example.com', name: 'Mary Jackson', role: 'approver', password });
  const listed = async () =>
    ((await outputOf('user pairs')) as { pairs: { user: { email: string }; other: { email: string } }[] }).pairs.filter(
      ({ user, other }) => [user.email, other.email].includes('mary@example.com'),
    );
  expect(await listed()).toMatchObject([{ sign: 'mailbox', answer: null }]);
  expect(await outputOf('user pair mary@example.com Mary+two@example.com --one-person')).toEqual({
    user: 'mary@example.com',
    other: 'mary+two@example.com',
    answer: 'one-person',
  });
  expect(await listed()).toMatchObject([{ sign: null, answer: 'one-person' }]);
  expect((await run('user pairs')).stdout).toContain('are one person, who counts once.');
  await outputOf('user pair mary+two@example.com mary@example.com --undecided');
  expect(await listed()).toMatchObject([{ sign: 'mailbox', answer: null }]);
  expect(await run('user pair mary@example.com mary+two@example.com')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--one-person'),
  });
});
