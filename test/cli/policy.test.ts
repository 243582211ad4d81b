import { afterAll, expect, test } from '@jest/globals';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { policyJsonSchema } from '#policies/operator';
import { askingAt } from '../support/nodes/asking.ts';
import { openBrowser } from '../support/nodes/console.ts';
import { startTestServer, testSecrets } from '../support/nodes/server.ts';
import { leaveUnreadable } from '../support/requests/unreadable-policy.ts';
import { killProcesses, runAssentry, serveAssentry, type Ended } from './assentry-process.ts';
import { until } from '../support/poll.ts';
import { nodeUrl } from '../support/databases/node-login.ts';

const directory = path.join(process.env['TEST_DIRECTORY'] ?? '', `policies-${process.pid}`);
const policyText = 'policy: one\nmatch: { tool: wire }\ndeny: { reason: No. }\n';
const two = 'policy: two\nmatch: { tool: other }\nrequire: { stages: [{ name: Any, approvers: anyone }] }\n';
const file = (name: string): string => path.join(directory, name);

await mkdir(directory, { recursive: true });
await writeFile(file('good.yaml'), `# Two of them.\n---\n${policyText}---\n${two}`);
await writeFile(file('again.txt'), policyText);
await writeFile(file('empty.txt'), '# nothing yet\n');
await writeFile(file('bad.txt'), 'policy: bad\nrequire:\n  stages: []\n  onTimeout: accept\n');
const server = await startTestServer();
afterAll(async () => {
  await killProcesses();
  await server.stop();
});
await openBrowser(server);

const run = (words: string[], env: Record<string, string> = {}): Promise<Ended> => runAssentry(words, { env });
const onDatabase = (words: string[]): Promise<Ended> => run(words, environment());
const environment = () => ({
  DATABASE_URL: nodeUrl(server.databaseUrl),
  ASSENTRY_SECRETS: testSecrets.map((s) => `${s.kid}:${s.secret}`).join(),
});

test('check names every error by file, line and column, and needs no database', async () => {
  const [bad, good, json, absent, empty, twice] = await Promise.all([
    run(['policy', 'check', file('bad.txt'), file('good.yaml')]),
    run(['policy', 'check', directory]),
    run(['policy', 'check', '--json', file('bad.txt')]),
    run(['policy', 'check', file('absent.yaml')]),
    run(['policy', 'check', file('empty.txt')]),
    run(['policy', 'check', file('good.yaml'), file('again.txt')]),
  ]);
  expect(bad).toMatchObject({ code: 1, stderr: 'assentry: There are 2 errors.\n' });
  const lines = bad.stdout.trim().split('\n');
  expect(lines).toHaveLength(2);
  for (const [at, line] of lines.entries())
    expect(line).toMatch(new RegExp(`bad\\.txt:${at + 3}:\\d+: require\\.(stages|onTimeout): Must .+`));
  expect(good).toMatchObject({ code: 0, stdout: '2 policies have no errors.\n', stderr: '' });
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, files: [{ errors: [{ line: 3 }, { line: 4 }] }] });
  expect([absent.code, absent.stdout]).toEqual([2, '']);
  expect([twice.code, twice.stdout.trim()]).toEqual([
    1,
    `${file('again.txt')}:1:1: policy: Keep one: ${file('good.yaml')} has a policy one, too.`,
  ]);
  expect([empty.code, empty.stdout]).toEqual([
    1,
    expect.stringContaining('empty.txt:1:1: Write a policy: this text has none.'),
  ]);
});

test('schema prints the one JSON Schema of policies, and needs no database', async () => {
  const [printed, json] = await Promise.all([run(['policy', 'schema']), run(['policy', 'schema', '--json'])]);
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(printed.stdout)).toEqual(policyJsonSchema());
  expect(json.stdout).toBe(`${JSON.stringify(policyJsonSchema())}\n`);
});

test('export says if nothing is published', async () => {
  const none = await onDatabase(['policy', 'export', '--json']);
  expect(none).toEqual({ code: 0, stdout: '{"policies":[]}\n', stderr: 'No policy is published.\n' });
});

test('apply publishes what differs, once; export gives back what was written; simulate says what would be', async () => {
  const asking = askingAt(server.url, await server.newServerKey());
  const first = await asking.open({ tool: { name: 'wire' } });
  const simulated = await onDatabase(['policy', 'simulate', file('good.yaml'), '--last', '10', '--json']);
  expect(JSON.parse(simulated.stdout)).toMatchObject({
    totals: { requests: 1, different: 1, decided: 1 },
    requests: [{ elicitation: first.id, live: { outcome: 'require' }, draft: { outcome: 'deny', policy: 'one@1' } }],
  });
  await writeFile(file('call.txt'), '{"method":"tools/call","params":{"name":"wire","arguments":{"amount":5}}}');
  const call = ['policy', 'simulate', file('good.yaml'), '--call', file('call.txt')];
  const tried = await onDatabase([...call, '--server', 'bank']);
  expect(tried.stdout).toBe(
    'Now: requester (built-in@1)\n  The person at the MCP client answers.\nWith these policies: deny (one@1)\n  Denied: No.\n',
  );
  const list = '[{ when: request.args.amount > 9, deny: { reason: No. } }, { confirm: {} }]';
  await writeFile(file('rules.txt'), `policy: several\nmatch: { tool: wire }\nrules: ${list}`);
  const ofSeveral = ['policy', 'simulate', file('rules.txt'), '--call', file('call.txt'), '--server', 'bank'];
  expect((await onDatabase(ofSeveral)).stdout).toContain('With these policies: requester (rule 2 of several@1)');
  expect(await onDatabase(call)).toMatchObject({ code: 2, stderr: expect.stringContaining('--server') });
  await writeFile(file('call.txt'), '[]');
  expect(await onDatabase([...call, '--server', 'bank'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give a JSON object'),
  });
  const applied = await onDatabase(['policy', 'apply', directory]);
  expect(applied).toMatchObject({ code: 0, stdout: 'one@1: published\ntwo@1: published\n' });
  expect((await asking.open({ tool: { name: 'wire' } })).status).toBe('declined');
  const again = await onDatabase(['policy', 'apply', file('good.yaml'), '--json']);
  expect(JSON.parse(again.stdout)).toEqual({
    applied: [
      { name: 'one', version: 1, change: 'unchanged' },
      { name: 'two', version: 1, change: 'unchanged' },
    ],
  });
  const exported = await onDatabase(['policy', 'export', file('out')]);
  expect(exported.code).toBe(0);
  expect(await readFile(file('out/one.yaml'), 'utf8')).toBe(policyText);
  const retiring = 'policy: one\nretire: { reason: Wires may be asked again. }\n';
  await writeFile(file('out/one.yaml'), retiring);
  expect(await onDatabase(['policy', 'apply', file('out')])).toMatchObject({
    code: 0,
    stdout: 'one@2: retired\ntwo@1: unchanged\n',
  });
  expect((await asking.open({ tool: { name: 'wire' } })).status).toBe('open');
  await onDatabase(['policy', 'export', file('retired')]);
  expect(await readFile(file('retired/one.yaml'), 'utf8')).toBe(retiring);
});

test('apply retires on request what is in none of the files, and says before what it would do', async () => {
  const three = policyText.replace('policy: one', 'policy: three');
  await writeFile(file('three.yaml'), three);
  await onDatabase(['policy', 'apply', file('three.yaml')]);
  const apply = async (...flags: string[]) =>
    (await onDatabase(['policy', 'apply', file('good.yaml'), ...flags])).stdout;
  expect(await apply('--prune', '--dry-run')).toBe(
    'one@3: would be published\ntwo@1: unchanged\nthree@2: would be retired\n',
  );
  expect(JSON.parse(await apply('--dry-run', '--json'))).toEqual({
    dryRun: true,
    applied: [
      { name: 'one', version: 3, change: 'published' },
      { name: 'two', version: 1, change: 'unchanged' },
    ],
  });
  expect(await apply('--prune')).toBe('one@3: published\ntwo@1: unchanged\nthree@2: retired\n');
  expect(await apply('--prune')).toBe('one@3: unchanged\ntwo@1: unchanged\n');
});

test('a published version that cannot be read is named at the start and by export, and what is applied mends it', async () => {
  await leaveUnreadable(server, 'upgraded', 'published');
  const serving = await serveAssentry(environment());
  await until(() => /upgraded@1.*\n/.test(serving.said.stderr)); // its two outputs arrive in any order
  const line = JSON.parse(serving.said.stderr.split('\n').find((name) => name.includes('upgraded@1')) ?? '{}');
  expect(line).toMatchObject({ level: 50, policy: 'upgraded@1', errors: expect.stringMatching(/^Line 2, column 1: /) });
  const exported = await onDatabase(['policy', 'export', file('mend')]);
  expect([exported.code, exported.stderr]).toEqual([1, expect.stringMatching(/\n {2}upgraded@1:2:1: .+\n$/)]);
  const document = await readFile(file('mend/upgraded.yaml'), 'utf8');
  await writeFile(file('mend/upgraded.yaml'), document.replace('since: 2031\n', 'match: { tool: none }\n'));
  const applied = await onDatabase(['policy', 'apply', file('mend/upgraded.yaml')]);
  expect(applied.stdout).toBe('upgraded@2: published\n');
  const asking = askingAt(serving.url, await server.newServerKey('mended'));
  expect((await asking.open()).status).toBe('open');
  await serving.end('SIGTERM');
});
