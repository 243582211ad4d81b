import { afterAll, expect, test } from '@jest/globals';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { WaitingAdminToken } from '#access/tokens/contract';
import { openBrowser } from '../support/nodes/console.ts';
import { startTestServer, testSecrets } from '../support/nodes/server.ts';
import { nodeUrl } from '../support/databases/node-login.ts';
import { json } from '../support/json.ts';
import { until } from '../support/poll.ts';
import { killProcesses, runAssentry, type Ended } from './assentry-process.ts';

/** A pipeline that has a token, and neither the database nor the secrets. */
const directory = path.join(process.env['TEST_DIRECTORY'] ?? '', `apply-${process.pid}`);
const file = (name: string): string => path.join(directory, name);
const declared = `
groups:
  - { name: Payments }
people:
  - { email: mona@example.com, name: Mona, role: approver, groups: [Payments] }
servers:
  - { name: ledger, owner: mona@example.com }
`;
const policy = 'policy: from-file\nmatch: { tool: wire }\nrequire: { stages: [{ name: One, approvers: anyone }] }\n';

let token = '';
let kid = '';
const server = await startTestServer({ environment: 'production' });
afterAll(async () => {
  await killProcesses();
  await server.stop();
});
const [ada, ben] = [await openBrowser(server, 'admin', 'password'), await openBrowser(server, 'admin', 'password')];
const permissions = ['change-directory', 'publish-policies'];
const answer = await json<WaitingAdminToken>(ada.call('POST', '/api/admin-tokens', { name: 'ci', permissions }));
await accept(answer.request);
({ token, kid } = answer);
await mkdir(directory, { recursive: true });
await writeFile(file('token'), `${token}\n`);
await writeFile(file('directory.yaml'), declared);
await writeFile(file('policy.yaml'), policy);
await writeFile(file('broken.yaml'), 'people:\n  - { email: mona@example.com\n');
await writeFile(file('wrong.yaml'), 'people:\n  - email: new@example.com\n    name: New\n    role: king\n');

async function accept(request: string): Promise<void> {
  const { digest } = await ben.show(request);
  const response = await ben.vote({ id: request, digest }, { opened: [''] });
  expect([response.status, await response.json()]).toMatchObject([200, { status: 'accepted' }]);
}

const remote = () => ['--url', server.url, '--token-file', file('token')];
const run = (words: string[], env: Record<string, string> = {}): Promise<Ended> => runAssentry(words, { env });

/** The request that a command waits for. */
const requestIn = ({ stderr }: { stderr: string }): string => /eli_[\w-]{22}/.exec(stderr)?.[0] ?? '';

/** The request that waits for the second administrator, once there is one. */
async function nextRequest(): Promise<string> {
  const waiting = async () => {
    const { items } = await json<{ items: { id: string }[] }>(ben.call('GET', '/api/elicitations?view=mine'));
    return items[0]?.id ?? '';
  };
  await until(async () => (await waiting()) !== '');
  return waiting();
}

test('apply shows the differences, waits for the second administrator, and changes nothing a second time', async () => {
  const dry = await run(['apply', '-f', file('directory.yaml'), ...remote(), '--dry-run']);
  const lines = [
    '+ group Payments',
    '+ person mona@example.com: Mona, approver, Payments',
    '+ server ledger',
    '~ server ledger: owner none → mona@example.com',
  ];
  expect(dry).toMatchObject({ code: 0, stdout: `${lines.join('\n')}\n`, stderr: '' });
  const running = run(['apply', '-f', file('directory.yaml'), ...remote(), '--wait']);
  const id = await nextRequest();
  await accept(id);
  const ended = await running;
  expect(ended).toMatchObject({ code: 0, stdout: `${lines.join('\n')}\n` });
  expect(requestIn(ended)).toBe(id);
  const env = { ASSENTRY_URL: server.url, ASSENTRY_TOKEN: token };
  const again = await run(['apply', '-f', file('directory.yaml'), '--json'], env);
  expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { state: 'made', changes: [] }]);
});

test('apply names the line of each error, and changes nothing', async () => {
  const [broken, wrong, absent] = await Promise.all([
    run(['apply', '-f', file('broken.yaml'), ...remote()]),
    run(['apply', '-f', file('wrong.yaml'), ...remote()]),
    run(['apply', '-f', file('absent.yaml'), ...remote()]),
  ]);
  expect([broken.code, wrong.code, absent.code]).toEqual([2, 2, 2]);
  expect(broken.stderr).toContain(`${file('broken.yaml')}:`);
  expect(wrong.stderr).toContain(`${file('wrong.yaml')}:4:11: people.0.role: Use admin, `);
  expect(wrong.stderr).toContain('there is no role king.');
});

test('policy apply asks by the token, and says how it ended', async () => {
  const dry = await run(['policy', 'apply', file('policy.yaml'), ...remote(), '--dry-run']);
  expect([dry.code, dry.stdout]).toEqual([0, 'from-file@1: would be published\n']);
  const running = run(['policy', 'apply', file('policy.yaml'), ...remote(), '--wait', '--json']);
  const id = await nextRequest();
  const { digest } = await ben.show(id);
  await ben.call('POST', `/api/elicitations/${id}/vote`, { action: 'decline', digest, comment: 'Not today.' });
  expect(await running).toMatchObject({ code: 1, stderr: expect.stringContaining('It was declined') });
});

test('the operator lists tokens and revokes them, and the command says why it is refused', async () => {
  const env = {
    DATABASE_URL: nodeUrl(server.databaseUrl),
    ASSENTRY_SECRETS: testSecrets.map((s) => `${s.kid}:${s.secret}`).join(),
  };
  const listed = await run(['token', 'list'], env);
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${kid} ci: made .*last used`))]);
  expect(await run(['token', 'revoke', kid], env)).toMatchObject({ code: 0 });
  const refused = await run(['apply', '-f', file('directory.yaml'), ...remote()]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Check the token')]);
});

test('the operator binds workloads of issuers that the settings name, lists and removes them', async () => {
  await server.newServerKey('ledger');
  await writeFile(file('issuers.json'), JSON.stringify([{ issuer: 'https://ci.example.com' }]));
  const env = {
    DATABASE_URL: nodeUrl(server.databaseUrl),
    ASSENTRY_SECRETS: testSecrets.map((s) => `${s.kid}:${s.secret}`).join(),
    ASSENTRY_WORKLOAD_ISSUERS: file('issuers.json'),
  };
  const terms = ['--audience', 'assentry', '--subject', 'repo:acme/ledger:*', '--claim', 'ref=refs/heads/main'];
  const add = (issuer: string, name = 'ledger') =>
    run(['server', 'workload', 'add', name, '--issuer', issuer, ...terms, '--json'], env);
  const [added, foreign, absent] = [
    await add('https://ci.example.com'),
    await add('https://evil.example.com'),
    await add('https://ci.example.com', 'no-such'),
  ];
  expect([added.code, foreign.code, absent.code]).toEqual([0, 2, 1]);
  expect(foreign.stderr).toContain('ASSENTRY_WORKLOAD_ISSUERS');
  const { workload } = JSON.parse(added.stdout) as { workload: string };
  const listed = await run(['server', 'workload', 'list'], env);
  const line = `${workload} ledger: repo:acme/ledger:* of https://ci.example.com for assentry; ref=refs/heads/main; never used`;
  expect(listed.stdout).toBe(`${line}\n`);
  expect(await run(['server', 'workload', 'remove', workload], env)).toMatchObject({ code: 0 });
  expect((await run(['server', 'workload', 'list'], env)).stdout).toContain('; removed ');
});

test('a token goes to no address without https', async () => {
  const { code, stderr } = await run(['apply', '-f', file('directory.yaml'), '--url', 'http://assentry.example.com'], {
    ASSENTRY_TOKEN: token,
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining('https')]);
});
