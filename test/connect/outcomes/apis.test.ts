import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { jwtVerify } from 'jose';
import { openOutcomes } from '#connect/outcomes/wiring/clients';
import { createOutcomeClient } from '#connect/outcomes/wiring/clients';
import type { Making } from '#connect/providers/event';
import { Provider, type OutcomeProvider } from '#connect/providers/provider';
import { presets } from '#connect/providers/providers';
import { startFakePayments } from '../../support/connect/fake-payments.ts';

const start = Date.parse('2026-11-30T12:00:00Z');
const hour = 3_600_000;
let time = start;
const now = (): number => time;
const fake = await startFakePayments({ now });
const servers: { close(): void }[] = [];
afterAll(async () => {
  for (const server of servers) server.close();
  await fake.close();
});

const reference = `as_${'A'.repeat(22)}`;
let keys = 0;
const making = (parts: Partial<Making> = {}, money: object = {}): Making => ({
  wanted: { kind: 'payment', provider: 'stripe', amount: '100.00', currency: 'EUR', for: 'Order 1', ...money },
  reference,
  idempotencyKey: `key-${(keys += 1)}`,
  returnUrl: 'https://assentry.example.com/e/1',
  expiresAt: start + 2 * hour,
  ...parts,
});

/** A client with a time limit that a test can wait for. */
function clientOf(settings: OutcomeProvider = fake.settings()) {
  const { create, look, ...client } = createOutcomeClient(settings, now, 1_000);
  if (!create || !look) throw new Error('It calls no API.');
  return { create, look, ...client };
}

/** An API on this machine that answers all calls in one way. */
async function startApi(listener: RequestListener): Promise<string> {
  const http = createServer(listener).listen(0, '127.0.0.1');
  await once(http, 'listening');
  servers.push({ close: () => void http.close().closeAllConnections() });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

beforeEach(() => {
  time = start;
  fake.isDown(false);
  fake.losesAnswers(false);
});

test('a node has a client for each provider, and calls none before someone does', () => {
  const before = fake.looks() + fake.tries();
  const outcomeProviders = [fake.settings(), fake.settings({ key: 'second' })];
  expect(openOutcomes({ outcomeProviders }, now).map(({ key }) => key)).toEqual(['fake-payments', 'second']);
  expect(openOutcomes({ outcomeProviders: [] }, now)).toEqual([]);
  expect(fake.looks() + fake.tries()).toBe(before);
});

describe('a client of Stripe', () => {
  test('says what an operator has set up', () => {
    const { key, label, kinds, live, payees, settlesWithin, servers: allowed } = clientOf();
    expect({ key, label, kinds, live, payees, settlesWithin, allowed }).toEqual({
      key: 'fake-payments',
      label: 'Stripe',
      kinds: ['payment'],
      live: true,
      payees: ['acct_own', 'acct_connected'],
      settlesWithin: 14 * 24 * hour,
      allowed: ['shop'],
    });
  });

  test('without a key hears what happens, and neither makes nor looks up anything', () => {
    const client = createOutcomeClient(fake.settings({ api: null }), now);
    expect([client.create, client.look]).toEqual([undefined, undefined]);
  });

  test('makes a session of this money, under the reference, that leads back', async () => {
    const { id, url } = await clientOf().create(making());
    expect(url).toBe(`${fake.url}/pay/${id}`);
    expect(fake.session(id)).toMatchObject({
      amount_total: 10_000,
      currency: 'eur',
      client_reference_id: reference,
      success_url: 'https://assentry.example.com/e/1',
      cancel_url: 'https://assentry.example.com/e/1',
      expires_at: (start + 2 * hour) / 1000,
    });
  });

  test('reads the event of a payment as it looks it up', async () => {
    const client = clientOf();
    const { id } = await client.create(making());
    expect(await client.look(id)).toMatchObject({ verdict: 'nothing', reference, object: id });
    const { body, headers } = fake.sign(fake.pays(id));
    const result = client.read(Buffer.from(body), headers, now());
    const outcome = {
      verdict: 'accept',
      reference,
      object: id,
      facts: { amount: '100.00', currency: 'EUR', payee: 'acct_own', isLive: true },
    };
    expect(result).toMatchObject({ state: 'read', event: outcome });
    expect(await client.look(id)).toEqual(outcome);
  });

  test.each<[string, 'isProcessing' | 'declines' | 'expires', string]>([
    ['is processed for days', 'isProcessing', 'pending'],
    ['failed after days', 'declines', 'decline'],
    ['expired', 'expires', 'cancel'],
  ])('says of a session that %s the same by event and by look', async (_what, becomes, verdict) => {
    const client = clientOf();
    const { id } = await client.create(making());
    const { body, headers } = fake.sign(fake[becomes](id));
    expect(client.read(Buffer.from(body), headers, now())).toMatchObject({ event: { verdict, object: id } });
    expect(await client.look(id)).toMatchObject({ verdict, object: id });
  });

  test('makes one session by one key, however often it tries', async () => {
    const client = clientOf();
    const before = fake.sessions().length;
    const wish = making();
    fake.losesAnswers();
    await expect(client.create(wish)).rejects.toThrowProblem('provider-unavailable');
    fake.losesAnswers(false);
    const [first, second] = await Promise.all([client.create(wish), client.create(wish)]);
    expect(first).toEqual(second);
    expect(fake.sessions()).toHaveLength(before + 1);
  });

  test.each([
    ['ends with the request', 2 * hour, 2 * hour],
    ['ends half an hour later, if that were too soon for Stripe', hour / 4, hour / 4 + (31 * hour) / 60],
    ['ends when Stripe ends it, if that were too late', 72 * hour, 24 * hour],
  ])('makes a session that %s', async (_how, after, end) => {
    const { id } = await clientOf().create(making({ expiresAt: start + after }));
    expect(fake.session(id).expires_at).toBe((start + end) / 1000);
  });

  test.each([
    [2 * hour, 1.8 * hour],
    [0.75 * hour, 0.5 * hour],
    [25 * hour, 2 * hour],
    [25 * hour, 24.9 * hour],
  ])('finds its session again if a try %d ms before its end is repeated %d ms later', async (after, later) => {
    const client = clientOf();
    const wish = making({ expiresAt: start + after });
    const first = await client.create(wish);
    time = start + later;
    expect(await client.create(wish)).toEqual(first);
  });

  test('makes and looks up a session at the account that gets the money', async () => {
    const client = clientOf();
    const { id } = await client.create(making({}, { payee: 'acct_connected' }));
    const { body, headers } = fake.sign(fake.pays(id));
    const facts = { payee: 'acct_connected' };
    expect(client.read(Buffer.from(body), headers, now())).toMatchObject({ event: { verdict: 'accept', facts } });
    expect(await client.look(id)).toMatchObject({ verdict: 'accept', facts });
  });

  test('knows nothing of a session that is not there', async () => {
    const nothing = { verdict: 'nothing', reference: null, object: null, facts: {} };
    expect(await clientOf().look('cs_live_other')).toEqual(nothing);
    expect(await clientOf().look('../../v1/accounts')).toEqual(nothing);
  });

  test.each([
    [{ amount: '100.001' }, 'INVALID_INPUT'],
    [{ currency: 'XXX' }, 'INVALID_INPUT'],
    [{ payee: 'acct_other' }, 'provider-not-configured'],
  ] as const)('refuses %j: %s', async (money, code) => {
    const before = fake.sessions().length;
    await expect(clientOf().create(making({}, money))).rejects.toThrowProblem(code);
    expect(fake.sessions()).toHaveLength(before);
  });

  test('refuses a signature', async () => {
    const contract: Making['wanted'] = { kind: 'signature', provider: 'stripe', values: {}, for: 'A contract' };
    await expect(clientOf().create(making({ wanted: contract }))).rejects.toThrowProblem('INVALID_INPUT');
  });

  test('whose key is wrong asks for an operator, and does not repeat the key', async () => {
    const settings = fake.settings({ api: { url: fake.url, key: 'rk_live_wrong' } });
    const failure: unknown = await clientOf(settings)
      .create(making())
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'provider-not-configured', message: expect.stringContaining('keyFile') });
    expect(String(failure)).not.toContain('rk_live_wrong');
    await expect(clientOf(settings).look('cs_1')).rejects.toThrowProblem('provider-not-configured');
  });

  test('leads to the hosts of the settings only', async () => {
    const client = clientOf(fake.settings({ pageHosts: ['checkout.stripe.com'] }));
    await expect(client.create(making())).rejects.toThrowProblem('provider-not-configured');
  });

  test('whose provider is down says so', async () => {
    fake.isDown();
    await expect(clientOf().create(making())).rejects.toThrowProblem('provider-unavailable');
    await expect(clientOf().look('cs_1')).rejects.toThrowProblem('provider-unavailable');
  });

  test.each<[string, RequestListener]>([
    ['leads elsewhere', (_, response) => void response.writeHead(302, { location: fake.url }).end()],
    ['is no JSON', (_, response) => void response.end('<html>')],
    ['is another session', (_, response) => void response.end('{"id":"cs_2"}')],
    ['is too long', (_, response) => void response.end(`{"id":"cs_1","note":"${'x'.repeat(2_000_000)}"}`)],
    ['is too late', () => undefined],
    ['is that it is busy', (_, response) => void response.writeHead(429).end()],
    ['is that the key is used right now', (_, response) => void response.writeHead(409).end('{}')],
  ])('whose answer %s gets nothing from it', async (_how, listener) => {
    const url = await startApi(listener);
    const client = clientOf(fake.settings({ api: { url, key: fake.apiKey } }));
    await expect(client.create(making())).rejects.toThrowProblem('provider-unavailable');
    await expect(client.look('cs_1')).rejects.toThrowProblem('provider-unavailable');
  });

  test.each(['https://10.0.0.1', 'https://169.254.169.254', 'http://10.0.0.1', 'https://[fc00::1]'])(
    'sends nothing to %s',
    async (url) => {
      const client = clientOf(fake.settings({ api: { url, key: fake.apiKey } }));
      await expect(client.look('cs_1')).rejects.toThrowProblem('provider-unavailable');
    },
  );
});

describe('a client of DocuSign', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = String(privateKey.export({ type: 'pkcs1', format: 'pem' }));
  const calls: string[] = [];
  let envelope: object | null = null;
  let status = 200;

  async function open(): Promise<ReturnType<typeof createOutcomeClient>> {
    const url = await startApi(async (request, response) => {
      calls.push(`${request.method} ${request.url}`);
      const send = (code: number, body: object | string) =>
        void response.writeHead(code).end(typeof body === 'string' ? body : JSON.stringify(body));
      if (request.url === '/oauth/token') {
        const assertion = new URLSearchParams(await text(request)).get('assertion') ?? '';
        const audience = new URL(url).host;
        const options = { issuer: 'app-1', audience, subject: 'user-1', currentDate: new Date(now()) };
        const isRight = await jwtVerify(assertion, publicKey, options).catch(() => null);
        return isRight?.payload['scope'] === 'signature impersonation'
          ? send(200, { access_token: 'token-1', expires_in: 3600 })
          : send(400, { error: 'invalid_grant' });
      }
      if (request.headers.authorization !== 'Bearer token-1') return send(401, {});
      if (request.url?.endsWith('/documents/combined')) return send(200, '%PDF-1.7 signed');
      return envelope ? send(status, envelope) : send(404, { errorCode: 'ENVELOPE_DOES_NOT_EXIST' });
    });
    const { events, ...description } = Provider.parse(presets.get('docusign'));
    if (!events) throw new Error('It reports nothing.');
    const parts = {
      key: 'docusign',
      servers: ['shop'],
      signingSecrets: ['x'.repeat(32)],
      accounts: ['a-1'],
      live: null,
    };
    const api = { url: `${url}/restapi`, key, clientId: 'app-1', actsAs: 'user-1' };
    return createOutcomeClient({ ...description, events, ...parts, api }, now, 1_000);
  }

  const signed = (parts: object = {}): object => ({
    envelopeId: 'env-1',
    status: 'completed',
    customFields: { textCustomFields: [{ name: 'assentry', value: reference }] },
    recipients: { signers: [{ email: 'ada@example.com' }] },
    ...parts,
  });

  beforeEach(() => {
    calls.length = 0;
    envelope = signed();
    status = 200;
  });

  test('makes no envelopes: authors do', async () => {
    const client = await open();
    expect(client).toMatchObject({ kinds: ['signature'], live: null, payees: [] });
    expect(client.create).toBeUndefined();
  });

  test('looks up who signed which document', async () => {
    const client = await open();
    expect(await client.look?.('env-1')).toEqual({
      verdict: 'accept',
      reference,
      object: 'env-1',
      facts: {
        signer: 'ada@example.com',
        document: createHash('sha256').update('%PDF-1.7 signed').digest('hex'),
      },
    });
    expect(calls).toContain('GET /restapi/v2.1/accounts/a-1/envelopes/env-1?include=custom_fields,recipients');
  });

  test.each([
    ['declined', 'decline'],
    ['voided', 'cancel'],
    ['sent', 'nothing'],
    ['delivered', 'nothing'],
  ])('says of a %s envelope: %s', async (state, verdict) => {
    envelope = signed({ status: state });
    const client = await open();
    expect(await client.look?.('env-1')).toMatchObject({ verdict, object: 'env-1' });
    expect(calls.filter((call) => call.includes('documents'))).toEqual([]);
  });

  test('gets one token for an hour, a minute less', async () => {
    const client = await open();
    const tokens = (): number => calls.filter((call) => call.includes('token')).length;
    await client.look?.('env-1');
    time = start + 3_539_000;
    await client.look?.('env-1');
    expect(tokens()).toBe(1);
    time = start + 3_540_000;
    await client.look?.('env-1');
    expect(tokens()).toBe(2);
  });

  test('knows nothing of an envelope that is not there', async () => {
    envelope = null;
    const client = await open();
    expect(await client.look?.('env-2')).toMatchObject({ verdict: 'nothing', reference: null, object: null });
  });

  test.each([
    ['is down', 503],
    ['answers with nothing', 204],
  ])('whose provider %s says so', async (_how, code) => {
    status = code;
    const client = await open();
    await expect(client.look?.('env-1')).rejects.toThrowProblem('provider-unavailable');
  });
});
