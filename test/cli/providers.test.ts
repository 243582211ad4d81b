import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { presets } from '#connect/providers/providers';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { startFakePayments } from '../support/connect/fake-payments.ts';
import { startFakeProvider } from '../support/connect/fake-provider.ts';
import { json } from '../support/json.ts';
import { newFolder } from '../support/new-folder.ts';
import { askingAt } from '../support/nodes/asking.ts';
import { leaveBy, newVisitor } from '../support/nodes/visitor.ts';
import { killProcesses, runAssentry, serveAssentry } from './assentry-process.ts';
import { discardDirectory, newDataDirectory } from './data-directory.ts';

const payments = await startFakePayments({ now: Date.now });
const accounts = await startFakeProvider();
const directory = newDataDirectory('providers');
const files = newFolder('providers-files');
afterAll(async () => {
  await killProcesses();
  await discardDirectory(directory);
  await Promise.all([payments.close(), accounts.close()]);
});

/** A file of these settings, with the secrets in files next to it; a provider of each kind, on this machine. */
function settingsFile(name: string, changes: Record<string, object> = {}): string {
  const secretFiles = { new: payments.signingSecret, old: 'whsec_an-older-one', key: payments.apiKey };
  const secrets = { ...secretFiles, client: accounts.clientSecret };
  for (const [file, text] of Object.entries(secrets)) writeFileSync(path.join(files, file), text, { mode: 0o600 });
  const { host } = new URL(payments.url);
  const shop = {
    description: { ...presets.get('stripe'), label: 'Shop', pageHosts: [host] },
    keyFile: 'key',
    apiUrl: payments.url,
    signingSecretFiles: ['new', 'old'],
    accounts: ['acct_own'],
    live: true,
    servers: ['payments'],
  };
  const people = {
    description: accounts.description(),
    clientId: accounts.clientId,
    clientSecretFile: 'client',
    scopes: ['repo'],
    servers: ['payments', 'crm'],
  };
  const file = path.join(files, `${name}.json`);
  const content = { shop: { ...shop, ...changes['shop'] }, people: { ...people, ...changes['people'] } };
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const env = { ASSENTRY_DATA_DIR: directory, ASSENTRY_PROVIDERS: settingsFile('providers') };
const server = await serveAssentry(env);
const run = (line: string, more: Record<string, string> = {}) =>
  runAssentry(line.split(' '), { env: { ...env, ...more } });

describe('assentry provider check', () => {
  test('says of each provider what it can do, and what to register there', async () => {
    const { code, stdout } = await run('provider check');
    expect(stdout.split('\n')).toEqual([
      'ok     people: the description of Fake is valid, for accounts; servers: payments, crm',
      `ok     people: people are sent to ${new URL(accounts.url).host}`,
      'ok     people: Fake answers, and does not refuse clientId and secret',
      `ok     people: register this return address there: ${server.url}/providers/people/return`,
      'ok     shop: the description of Shop is valid, for payments; servers: payments',
      'ok     shop: 2 signing secrets can be read',
      `ok     shop: people are sent to ${new URL(payments.url).host}`,
      'ok     shop: the API of Shop answers, and takes the key',
      `ok     shop: have it send events to ${server.url}/providers/shop/events, which only this machine reaches: set ASSENTRY_PUBLIC_URL, or forward them`,
      '',
    ]);
    expect(code).toBe(0);
  });

  test('looks at one provider alone, and knows no other', async () => {
    expect((await run('provider check shop')).stdout).not.toContain('people:');
    expect(await run('provider check stripe')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('KEY: Give a key of ASSENTRY_PROVIDERS: people, shop.'),
    });
  });

  test.each([
    ['a client that the provider does not know', { people: { clientId: 'other' } }, 'people: Check "clientId"'],
    ['a key of another', { shop: { keyFile: 'old' } }, 'shop: Ask an operator to check "keyFile"'],
    ['a page that no one finds', { shop: { pageHosts: ['no.invalid'] } }, 'shop: correct "pageHosts", or the DNS'],
    ['a secret that is not there', { shop: { signingSecretFiles: ['none'] } }, 'ASSENTRY_PROVIDERS: '],
    ['a misspelt member', { shop: { account: ['x'] } }, 'ASSENTRY_PROVIDERS: '],
  ])('names %s, and fails', async (name, changes, sentence) => {
    const ASSENTRY_PROVIDERS = settingsFile(name.replaceAll(' ', '-'), changes);
    const { code, stdout } = await run('provider check', { ASSENTRY_PROVIDERS });
    expect([code, stdout]).toEqual([1, expect.stringContaining(`wrong  ${sentence}`)]);
    expect(stdout.match(/^wrong/gm)).toHaveLength(1);
  });

  test('sends people to no private page where Assentry is public', async () => {
    const { stdout } = await run('provider check shop', { ASSENTRY_PUBLIC_URL: 'https://assentry.example.com' });
    expect(stdout).toContain(`${new URL(payments.url).host} is no public address`);
    expect(stdout).toContain('have it send events to https://assentry.example.com/providers/shop/events\n');
  });
});

describe('assentry callback test', () => {
  const address = `${server.url}/providers/shop/events`;
  const steps = [
    `ok     shop: a test event reached ${address}`,
    'ok     shop: the signature of the newest secret is accepted',
  ];

  test('sends an event that is accepted, and is about no request', async () => {
    const { code, stdout } = await run('callback test --provider shop');
    expect(stdout.split('\n')).toEqual([
      ...steps,
      'ok     shop: it is about no request, and it says nothing, so nothing was changed; a real one is taken the same way',
      '',
    ]);
    expect(code).toBe(0);
  });

  test('says what a request waits for, finds it, and never settles it', async () => {
    const { key } = JSON.parse((await run('key create --server payments --json')).stdout) as { key: string };
    const asking = askingAt(server.url, key);
    const expects = { kind: 'payment', provider: 'shop', amount: '100.00', currency: 'EUR', for: 'Order 1042' };
    const parts = {
      mode: 'url',
      schema: undefined,
      audience: undefined,
      takesEdits: undefined,
      expects,
      ttl: 3_600_000,
    };
    const request = (await asking.open({ message: 'Pay.', ...parts })) as OpenedElicitation & {
      url: string;
      code: string;
    };
    const stateOf = async () => {
      const read = asking.call('GET', `/v1/elicitations/${request.id}`);
      const { url: _url, ...state } = await json<OpenedElicitation>(read); // the address is sealed each time
      return state;
    };
    const about = `ok     ${request.id}: `;
    const early = await run(`callback test --provider shop --request ${request.id}`);
    expect(early.stdout.split('\n')).toEqual([
      `${about}is open, and expects 100.00 EUR at shop`,
      `${about}no one has gone to the provider yet, so it has no reference there`,
      ...steps,
      expect.stringContaining('it is about no request'),
      '',
    ]);
    await leaveBy(newVisitor(), request.url, request.code);
    const session = payments.sessions().at(-1);
    if (!session) throw new TypeError('no session was made');
    const before = await stateOf();
    for (const _ of [1, 2]) {
      const { code, stdout } = await run(`callback test --provider shop --request ${request.id}`);
      expect(stdout.split('\n')).toEqual([
        `${about}is open, and expects 100.00 EUR at shop`,
        `${about}its reference there is ${session.client_reference_id}; what is to be done there was made`,
        expect.stringMatching(`${about}the provider was asked \\d+ times, and is asked again at 20`),
        `${about}no event has come`,
        ...steps,
        `ok     shop: it is about ${request.id}, and it says nothing, so nothing was changed; a real one would be compared with it`,
        '',
      ]);
      expect(code).toBe(0);
    }
    expect(await stateOf()).toEqual(before);
    expect(before.status).toBe('open');
    expect(await payments.deliver(payments.pays(session.id), address)).toEqual([200]);
    expect(await stateOf()).toMatchObject({ status: 'accepted' });
    const late = await run(`callback test --provider shop --request ${request.id}`);
    expect(late.stdout).toContain(`${about}is accepted, and expects`);
    expect(late.stdout).toMatch(/the last event came at 20\S+ and says accept\n/);
    expect(late.stdout).toContain('a real one would be listed as late');
  });

  test('names a secret that nodes do not have', async () => {
    const ASSENTRY_PROVIDERS = settingsFile('rotated', { shop: { signingSecretFiles: ['client', 'new'] } });
    const { code, stdout } = await run('callback test --provider shop', { ASSENTRY_PROVIDERS });
    expect(stdout).toContain('wrong  shop: give each node the same ASSENTRY_PROVIDERS and secrets');
    expect(code).toBe(1);
  });

  test('names what is in front, or that nothing answers', async () => {
    const other = createServer((_request, response) => void response.writeHead(404).end()).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const ASSENTRY_PUBLIC_URL = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const answered = await run('callback test --provider shop', { ASSENTRY_PUBLIC_URL });
    expect(answered).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('what is in front of it: it answers 404'),
    });
    await new Promise((resolve) => other.close(resolve));
    const silent = await run('callback test --provider shop', { ASSENTRY_PUBLIC_URL });
    expect(silent).toMatchObject({ code: 1, stdout: expect.stringContaining('is not reached (ECONNREFUSED)') });
  });

  test.each([
    ['callback test --provider people', '--provider: Name a provider of ASSENTRY_PROVIDERS that reports events: shop.'],
    ['callback test --provider shop --request 7', '--request: Give the id of a request'],
    [
      `callback test --provider shop --request eli_${'A'.repeat(22)}`,
      '--request: Name a request for a payment or a signature at "shop".',
    ],
  ])('refuses %s', async (line, sentence) => {
    expect(await run(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  });
});
