import { createHmac, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { FoundConnection } from '#connect/connections/contract';
import { readProviders } from '#platform/config/connect-providers';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { startFakeProvider } from '../../support/connect/fake-provider.ts';
import { json } from '../../support/json.ts';
import { newFolder } from '../../support/new-folder.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { leaveBy, newVisitor } from '../../support/nodes/visitor.ts';

/** Providers that no file of Assentry describes, as an operator writes them down: one of accounts, two that sign events. */
const lab = await startFakeProvider({ key: 'lab', now: Date.now });
const { host } = new URL(lab.url);
const folder = newFolder('as-data');
const secrets = {
  'lab-secret': lab.clientSecret,
  'hub-secret': 'it is a plain text',
  'acme-secret': 'and so is this one',
};
for (const [name, text] of Object.entries(secrets)) writeFileSync(path.join(folder, name), text);

const paid = { amount: '/order/total', currency: '/order/currency' };
const events = {
  kinds: ['payment'],
  id: ['/delivery'],
  reference: ['/order/reference'],
  object: ['/order/id'],
  rules: [
    { when: { '/action': 'paid' }, verdict: 'accept', facts: paid, minor: true },
    { when: { '/action': 'failed' }, verdict: 'decline' },
  ],
  settlesWithin: '1d',
};
const content = {
  lab: {
    description: {
      label: 'Lab',
      pageHosts: [host],
      apiHosts: [host],
      oauth: {
        authorize: `${lab.url}/authorize`,
        token: `${lab.url}/token`,
        revoke: `${lab.url}/revoke`,
        account: { url: `${lab.url}/user`, id: '/id', label: '/login' },
      },
    },
    clientId: lab.clientId,
    clientSecretFile: 'lab-secret',
    scopes: ['read_user', 'api'],
    servers: ['payments'],
  },
  hub: {
    description: {
      label: 'Hub',
      pageHosts: [host],
      events: {
        ...events,
        signed: { header: 'x-hub-signature-256', prefix: 'sha256=', over: '{body}', mac: 'sha256', text: 'hex' },
      },
    },
    signingSecretFiles: ['hub-secret'],
    servers: ['payments'],
  },
  acme: {
    description: {
      label: 'Acme Pay',
      pageHosts: [host],
      events: {
        ...events,
        object: [], // its events name no session: the reference alone leads to the request
        signed: {
          header: 'acme-signature',
          parts: { time: 't', mac: 'v1' },
          over: '{time}.{body}',
          mac: 'sha256',
          text: 'hex',
        },
      },
    },
    signingSecretFiles: ['acme-secret'],
    servers: ['payments'],
  },
};
const file = path.join(folder, 'providers.json');
const readFile = (value: unknown) => {
  writeFileSync(file, JSON.stringify(value));
  return readProviders({ ASSENTRY_PROVIDERS: file });
};
const server = await startTestServer(readFile(content));
const asking = askingAt(server.url, await server.newServerKey());
afterAll(async () => {
  await server.stop();
  await lab.close();
});

const requester = { subject: 'client:test' };
const ask = (expects: object) =>
  asking.open({
    mode: 'url',
    schema: undefined,
    audience: undefined,
    message: 'Go there.',
    requester,
    expects,
  }) as Promise<OpenedElicitation & { url: string; code: string }>;
const stateOf = (id: string) => json<OpenedElicitation>(asking.call('GET', `/v1/elicitations/${id}`));

test('people connect accounts at a provider that is data alone', async () => {
  const scopes = ['read_user', 'api'];
  const request = await ask({ kind: 'connection', provider: 'lab', scopes });
  const visitor = newVisitor();
  await visitor.get((await lab.visit(await leaveBy(visitor, request.url, request.code))).href);
  expect(lab.asked().get('scope')).toBe('read_user api');
  const find = asking.call('POST', '/v1/connections', { provider: 'lab', scopes, requester });
  expect(await json<FoundConnection>(find)).toMatchObject({
    state: 'stored',
    connection: { account: { label: 'octo-ada' }, hosts: [host] },
  });
});

/** Signs as each of the services does. */
const signers: Record<string, (body: string) => Record<string, string>> = {
  hub: (body) => ({ 'x-hub-signature-256': `sha256=${macOf('hub-secret', body)}` }),
  acme: (body) => {
    const time = Math.floor(Date.now() / 1000);
    return { 'acme-signature': `t=${time},v1=${macOf('acme-secret', `${time}.${body}`)}` };
  },
};
const macOf = (secret: keyof typeof secrets, text: string): string =>
  createHmac('sha256', secrets[secret]).update(text).digest('hex');

describe.each(Object.keys(signers))('a payment at %s', (provider) => {
  /** The person is at the page that the author has made; the service then says this of it. */
  async function pay(order: object, action = 'paid', change: (body: string) => string = (body) => body) {
    const reference = `as_${randomUUID().replaceAll('-', '').slice(0, 22)}`;
    const session = { reference, id: randomUUID(), url: `${lab.url}/checkout` };
    const request = await ask({
      kind: 'payment',
      provider,
      amount: '12.50',
      currency: 'EUR',
      for: 'Tea',
      made: session,
    });
    expect(await leaveBy(newVisitor(), request.url, request.code)).toBe(session.url);
    const event = { delivery: randomUUID(), action, order: { id: session.id, reference, currency: 'EUR', ...order } };
    const body = JSON.stringify(event);
    const url = `${server.url}/providers/${provider}/events`;
    const answer = await fetch(url, { method: 'POST', body: change(body), headers: signers[provider]?.(body) ?? {} });
    return { status: answer.status, state: await stateOf(request.id), object: session.id };
  }

  test('is what its signed event says', async () => {
    const { status, state, object } = await pay({ total: 1250 });
    expect([status, state.status]).toEqual([200, 'accepted']);
    expect(state.content).toMatchObject({ object, amount: '12.50', currency: 'EUR' });
    expect((await pay({}, 'failed')).state.status).toBe('declined');
  });

  test('ends as a mismatch if it was another amount', async () => {
    expect((await pay({ total: 1249 })).state).toMatchObject({ status: 'cancelled', cause: 'mismatch' });
  });

  test('stays open if a byte was changed on the way', async () => {
    const { status, state } = await pay({ total: 1 }, 'paid', (body) => body.replace('"total":1', '"total":1250'));
    expect([status, state.status]).toEqual([401, 'open']);
  });
});

/** Errors of an operator who writes these down for the first time, and what they read. */
test.each([
  [
    'the id in a header that the MAC does not cover',
    'hub',
    { signed: { ...content.hub.description.events.signed, idHeader: 'x-hub-delivery' } },
    'Name the header of the id if, and only if, the MAC covers it.',
  ],
  [
    'a time that the MAC does not cover',
    'acme',
    { signed: { ...content.acme.description.events.signed, over: '{body}' } },
    'Leave it out: the MAC does not cover the time.',
  ],
  [
    'a word of another language for the MAC',
    'hub',
    { signed: { ...content.hub.description.events.signed, mac: 'hmac-sha256' } },
    'Must be sha256',
  ],
  [
    'a member that is not there',
    'hub',
    { signed: { ...content.hub.description.events.signed, secret: 'x' } },
    'signed.secret"; Correct its name, or leave it out',
  ],
  [
    'an amount without its currency',
    'hub',
    { rules: [{ when: { '/action': 'paid' }, verdict: 'accept', facts: { amount: '/order/total' } }] },
    'Say where the currency of the amount is.',
  ],
  ['a path instead of a pointer', 'hub', { reference: ['order.reference'] }, 'Give a JSON Pointer such as /id.'],
  ['no id', 'hub', { id: [] }, 'Say where the id of the event is.'],
] as const)('%s is named at its place', (_name, key, parts, sentence) => {
  const { description, ...settings } = content[key];
  const changed = { ...description, events: { ...description.events, ...parts } };
  expect(() => readFile({ [key]: { ...settings, description: changed } })).toThrow(sentence);
});
