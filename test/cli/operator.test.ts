import { afterAll, describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ask } from './asking.ts';
import { killProcesses, runAssentry, serveAssentry, type Ended } from './assentry-process.ts';
import { discardDirectory, findDatabase, newDataDirectory } from './data-directory.ts';
import { json } from '../support/json.ts';
import { newFolder } from '../support/new-folder.ts';
import { scimProvider } from '../support/nodes/scim.ts';

const directory = newDataDirectory('operator');
const env = { ASSENTRY_DATA_DIR: directory };
const password = 'seven quiet otters paint';
const migrations = readdirSync('prisma/migrations', { withFileTypes: true }).filter((item) => item.isDirectory());

const run = (line: string, input?: string): Promise<Ended> =>
  runAssentry(line.split(' '), { env, ...(input !== undefined && { input }) });
const addUser = (email: string, role: string, input = `${password}\n`): Promise<Ended> =>
  run(`user add ${email} --role ${role} --password-stdin --json`, input);

/** The one JSON document that is all of standard output. */
function documentOf({ code, stdout, stderr }: Ended): Record<string, string> {
  expect([code, stderr.includes('assentry:')]).toEqual([0, false]);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout) as Record<string, string>;
}

const signIn = async (url: string, email: string): Promise<unknown> => {
  const headers = { 'content-type': 'application/json', origin: url };
  const body = JSON.stringify({ email, password });
  const response = await fetch(`${url}/api/session`, { method: 'POST', headers, body });
  return [response.status, (await json<{ user?: { role: string } }>(response)).user?.role];
};

afterAll(async () => {
  await killProcesses();
  await discardDirectory(directory);
});

describe('operator commands', () => {
  let keyFromBefore: string;

  test('that speak of what there is make nothing new in a wrong directory', async () => {
    const { code, stdout, stderr } = await run('user list --json');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`There is no Assentry in ${directory}.`);
    expect(existsSync(directory) ? readdirSync(directory) : []).toEqual([]);
  });

  test('prepare an installation that has never been started', async () => {
    expect(documentOf(await run('migrate --json'))).toEqual({ migrated: migrations.map(({ name }) => name).sort() });
    const key = documentOf(await run('key create --server payments --json'));
    expect(key).toEqual({ server: 'payments', key: expect.stringMatching(/^asn_\w+/) });
    keyFromBefore = key['key'] ?? '';
    const limited = 'key create --server payments --json --expires-in';
    documentOf(await run(`${limited} 90 --tool refund_* lookup`));
    const { stdout } = await run('key list --server payments');
    expect(stdout).toMatch(/only for refund_\*, lookup; expires 20\d\d-/);
    expect((await run(`${limited} soon`)).stderr).toContain('Give a number of days.');
    const ada = documentOf(await addUser('Ada@Example.com', 'admin'));
    expect(ada).toEqual({ id: expect.stringMatching(/^usr_/), email: 'ada@example.com', name: 'Ada', role: 'admin' });
    expect(await findDatabase(directory)).toBeUndefined();
  });

  test('make a login for a reviewer, whose address is shown once', async () => {
    const response = documentOf(await run('auditor create grace --json'));
    expect(response).toEqual({ login: 'grace', databaseUrl: expect.stringMatching(/^postgresql:\/\/grace:\S+@/) });
    expect(documentOf(await run('auditor create grace --json'))).toEqual({ login: 'grace' });
    const { code, stderr } = await run('auditor create Grace');
    expect([code, stderr]).toEqual([2, expect.stringContaining('NAME: Use up to 63 small letters')]);
  });

  test('work while the server runs on the same data directory', async () => {
    const server = await serveAssentry(env);
    expect(server.said.stderr).not.toContain('setup');
    expect(await ask(server.url, keyFromBefore)).toMatchObject({ status: 'open' });
    expect(await signIn(server.url, 'ada@example.com')).toEqual([200, 'admin']);
    const [key, grace] = await Promise.all([
      run('key create --server payments --json'),
      addUser('grace@example.com', 'approver', password),
    ]);
    const { key: second = '' } = documentOf(key);
    expect(second).not.toBe(keyFromBefore);
    expect(await ask(server.url, second, 'acc_2')).toMatchObject({ status: 'open' });
    expect(documentOf(grace)).toMatchObject({ name: 'grace', role: 'approver' });
    const { link } = documentOf(await run('user link grace@example.com --json')) as { link?: { address: string } };
    expect(link?.address).toMatch(new RegExp(`^${server.url}/password#link=`)); // not the port that the settings say
    expect(await signIn(server.url, 'grace@example.com')).toEqual([200, 'approver']);
    const [migrated, ledger] = await Promise.all([run('migrate --json'), run('key create --server ledger')]);
    expect(documentOf(migrated)).toEqual({ migrated: [] });
    expect(ledger.stdout).toMatch(/^asn_\S+\nShown once\. Give it to ledger as ASSENTRY_API_KEY\.\n$/);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200); // they left the shared database running
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stdout: `Assentry is ready at ${server.url}\n` });
    expect(await findDatabase(directory)).toBeUndefined();
  });

  test('make a token of a provider, which works until it is revoked, also while the server runs', async () => {
    const { key: okta, ...settings } = scimProvider('okta');
    const other = { ...settings, issuer: 'https://other.example.com', scim: null };
    const file = path.join(newFolder('providers'), 'providers.json');
    writeFileSync(file, JSON.stringify({ [okta]: settings, other }));
    const withProviders = { ...env, ASSENTRY_SIGN_IN_PROVIDERS: file };
    const run = (line: string) => runAssentry(line.split(' '), { env: withProviders });
    const server = await serveAssentry(withProviders);
    const call = async (token: string) =>
      (await fetch(`${server.url}/scim/v2/Users`, { headers: { authorization: `Bearer ${token}` } })).status;
    const { token = '', kid = '', ...rest } = documentOf(await run('scim token create --provider okta --json'));
    expect([rest, token]).toEqual([{ provider: 'okta' }, expect.stringMatching(`^asnscim_${kid}_`)]);
    expect((await run('scim token list')).stdout).toMatch(`${kid} okta (https://okta.example.com): made 20`);
    expect(await call(token)).toBe(200);
    expect((await run(`scim token revoke ${kid}`)).stdout).toMatch(/; last used 20.+; revoked 20/);
    expect(await call(token)).toBe(401);
    expect((await run('scim token create --provider other')).stderr).toContain('its settings have no "scim"');
    expect((await run('scim token revoke all')).stderr).toContain('Give the 16 characters after asnscim_');
    await server.end('SIGTERM');
  });

  test('group servers, groups and policies in a space, with people who have a role there', async () => {
    const person = `person-${Date.now()}@example.com`;
    await run(`user add ${person} --role approver --name Pat --password-stdin`, password);
    await run('key create --server spaced');
    await run('group create spaced-leads');
    expect((await run('space add Payments')).stdout).toBe('Payments: people none; servers none; groups none\n');
    expect((await run(`space member Payments ${person} --role space-admin`)).stdout).toContain('Pat (space-admin)');
    await run('space move Payments --server spaced');
    const moved = await run('space move Payments --group spaced-leads');
    expect(moved.stdout).toBe('Payments: people Pat (space-admin); servers spaced; groups spaced-leads\n');
    const file = path.join(newFolder('policies'), 'spaced.yaml');
    writeFileSync(file, 'policy: spaced\nmatch: { tool: pay }\ndeny: { reason: No. }\n');
    expect((await run(`policy apply ${file} --space Payments`)).stdout).toBe('spaced@1: published\n');
    expect((await run(`policy apply ${file}`)).stderr).toContain('a policy stays in its space');
    for (const [line, fault] of [
      ['space add none', 'Use 1 to 64 letters'],
      ['space move Elsewhere --server spaced', 'there is no space called Elsewhere'],
      ['space move Payments', 'Say what to move'],
      [`space member Payments ${person} --role admin`, 'Give one of space-admin'],
    ] as const)
      expect((await run(line)).stderr).toContain(fault);
  });

  test('make, change and remove roles of one’s own, which people then have', async () => {
    const person = `keeper-${Date.now()}@example.com`;
    const permits = '--permission stop-calls change-keys';
    expect((await run(`role add key-keeper ${permits}`)).stdout).toBe(
      'key-keeper: change-keys, stop-calls; 0 people have it\n',
    );
    await run(`user add ${person} --role key-keeper --name Kim --password-stdin`, password);
    expect((await run('role set key-keeper --permission change-keys')).stdout).toBe(
      'key-keeper: change-keys; 1 person has it\n',
    );
    expect(JSON.parse((await run('role list --json')).stdout)).toMatchObject({
      roles: [{ name: 'key-keeper', people: 1 }],
    });
    for (const [line, fault] of [
      ['role add admin --permission stop-calls', 'no name that means something already'],
      ['role add other --permission change-directory', 'Choose from decide'],
      ['role remove key-keeper', 'Give these people another role first: Kim'],
      ['role remove other', 'the installation has made no role called other'],
      [`user set ${person} --role key-keper`, 'Did you mean key-keeper?'],
    ] as const)
      expect((await run(line)).stderr).toContain(fault);
    await run(`user set ${person} --role reviewer`);
    expect((await run('role remove key-keeper')).stdout).toBe('The role key-keeper is removed.\n');
  });

  test('refuse what cannot be, and change nothing', async () => {
    const [result, weak] = await Promise.all([
      addUser('ADA@example.com', 'reviewer'),
      addUser('eve@example.com', 'admin', 'too short\n'),
    ]);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('assentry: Someone with this email address already exists.\n');
    expect(weak).toMatchObject({ code: 2, stdout: '' });
    expect(weak.stderr).toContain('assentry: Correct this and try again; nothing was done:\n  password: Use at least');
    expect(weak.stderr).not.toContain('too short');
    const eve = await run('user add eve@example.com --role reviewer --name Eve --password-stdin', password);
    expect(eve.stdout).toBe('Eve <eve@example.com> may sign in as reviewer.\n');
    expect(await findDatabase(directory)).toBeUndefined();
  });
});
