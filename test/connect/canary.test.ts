import { createHash, randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { withdrawConnections } from '#connect/connections/verbs/tokens';
import type { ConnectionToken } from '#connect/connections/contract';
import { removeCredential } from '#connect/credentials/verbs';
import type { CredentialId, ElicitationId } from '#platform/model/id';
import type { AssentryTools } from '#sdk/mcp/assentry';
import { untilAllSettled } from '#sdk/mcp/run/settlements';
import { callTool, pendingOf, startMcpServer, textOf } from '../sdk/mcp/peers.ts';
import { startFakeProvider, type FakeProvider } from '../support/connect/fake-provider.ts';
import { freshDatabase } from '../support/databases/database.ts';
import { dumpDatabase } from '../support/databases/database-dump.ts';
import { json } from '../support/json.ts';
import { openBrowser } from '../support/nodes/console.ts';
import { freePort } from '../support/nodes/free-port.ts';
import { sequenceAll } from '../support/nodes/log.ts';
import { spawnNode } from '../support/nodes/node-process.ts';
import { newVisitor } from '../support/nodes/visitor.ts';
import { until } from '../support/poll.ts';
import { openHouse, type House } from './connections/house.ts';

const database = await freshDatabase();
afterAll(() => database.drop());

/** How a secret may stand in a text: itself, in an address, in bytes, or as a plain hash. */
function forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const shifted = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  );
  const hash = createHash('sha256').update(secret).digest();
  return [secret, bytes.toString('hex'), ...shifted, hash.toString('hex'), hash.toString('base64')];
}

const secretsOf = ({ issued, clientSecret }: FakeProvider): string[] => [...issued, clientSecret];
const leaksIn = (provider: FakeProvider, text: string): string[] =>
  secretsOf(provider).filter((secret) => forms(secret).some((form) => text.includes(form)));

describe('what a provider gives', () => {
  test('is in no message, page, line of the log, metric, export or table', async () => {
    const [provider, port] = [await startFakeProvider(), await freePort()];
    const connectProviders = [provider.settings({ servers: ['payments'] })];
    const metricsToken = randomBytes(24).toString('hex');
    const url = `http://127.0.0.1:${port}`;
    const house = await openHouse(provider, { databaseUrl: database.url, publicUrl: url }, url);
    const node = await spawnNode(database.url, { port, connectProviders, metricsToken, logLevel: 'debug' });
    const register = (tools: AssentryTools): void => {
      tools.registerTool('whoami', {}, async ({ connect }) => {
        const account = await connect('fake', { scopes: ['repo'] });
        const answer = await account.fetch(`${provider.url}/user`);
        return {
          content: [{ type: 'text', text: `${String(answer.status)} ${String(account)} ${JSON.stringify(account)}` }],
        };
      });
    };
    const mcp = await startMcpServer(register, { url, apiKey: house.asking.key, holdTimeoutMs: 150 });
    const client = await mcp.connect();
    const messages: string[] = [];
    const pages: string[] = [];
    try {
      const pending = await callTool(client, 'whoami');
      const { url: link = '' } = pendingOf(pending) as unknown as { url?: string };
      const visitor = newVisitor();
      const code = /code (\d{3} \d{3})/.exec(textOf(pending))?.[1] ?? '';
      const back = await house.consent(await house.leave(visitor, { url: link, code } as never));
      pages.push((await newVisitor().get(back)).html);
      pages.push((await visitor.get(back.replace('/fake/', '/other/'))).html);
      const returned = await visitor.get(back);
      pages.push(returned.html, returned.headers.get('location') ?? '');
      pages.push((await visitor.get(`${url}${returned.headers.get('location')}`)).html);
      pages.push((await visitor.get(back)).html); // a second time
      const result = await callTool(client, 'whoami');
      expect(textOf(result)).toMatch(/^200 crd_/);
      messages.push(JSON.stringify([pending, result]));
      // The provider fails in each of its ways, and its answers hold what it was sent.
      for (const path of ['/token', '/user']) {
        const question = await house.ask({ subject: `client:${path}` });
        provider.answers(path, (request, response) => {
          const body = JSON.stringify({
            error: request.url,
            [String(request.headers.authorization)]: provider.issued.at(-1),
          });
          response.writeHead(400, { 'content-type': 'application/json' }).end(body);
        });
        const other = newVisitor();
        pages.push((await other.get(await house.consent(await house.leave(other, question)))).html);
        provider.answers(path, null);
      }
      const admin = (await openBrowser(house.server, 'admin')).at(url);
      pages.push(await (await admin.call('GET', '/api/elicitations?view=all')).text());
      const log = node.log();
      expect(log).toContain('/providers/');
      const numbers = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
      const metrics = await numbers.text();
      expect(metrics).toContain('assentry_');
      await sequenceAll(house.server.engine);
      const exported: string[] = [];
      await house.server.exportLog(async (_name, bytes) => void exported.push(Buffer.from(bytes).toString()));
      expect(exported.join('')).toContain('credential.stored');
      const dump = await dumpDatabase(database.url);
      expect(dump).toContain('elicitation.answered');
      const places = {
        messages,
        pages,
        log: [log],
        metrics: [metrics],
        exported,
        dump: [dump],
      };
      const leaks = Object.entries(places).map(([name, texts]) => [name, leaksIn(provider, texts.join('\n'))]);
      expect(leaks).toEqual(Object.keys(places).map((name) => [name, []]));
      expect(provider.issued.length).toBeGreaterThan(4);
    } finally {
      await untilAllSettled();
      await mcp.stop();
      await node.stop();
      await house.server.stop();
      await provider.close();
    }
  });

  test('would be found by this search', async () => {
    const provider = await startFakeProvider();
    provider.issued.push('access-7');
    expect(leaksIn(provider, `x ${Buffer.from('access-7').toString('hex')}`)).toEqual(['access-7']);
    expect(leaksIn(provider, Buffer.from('{"accessToken":"access-7"}').toString('base64'))).toEqual(['access-7']);
    await provider.close();
  });
});

async function connect(house: House, requester: { subject: string }) {
  const [question, visitor] = [await house.ask(requester), newVisitor()];
  await visitor.get(await house.consent(await house.leave(visitor, question)));
  const answer = await house.find(requester);
  const id = answer.state === 'stored' ? answer.connection.id : '';
  const use = house.asking.call('POST', `/v1/connections/${id}/token`, { requester });
  const { token } = await json<ConnectionToken>(use);
  return { question, id: id as CredentialId, token };
}

test('erasing all of a requester removes their connections, and has the provider withdraw them; others stay', async () => {
  let ahead = 0;
  const provider = await startFakeProvider();
  const house = await openHouse(provider, { now: () => Date.now() + ahead });
  const { server } = house;
  const [ada, bob] = [{ subject: 'client:ada' }, { subject: 'client:bob' }];
  const [first, other] = [await connect(house, ada), await connect(house, bob)];
  ahead = 31 * 86_400_000; // no call collects its answer any more
  const erased = await server.eraseContent({
    request: first.question.id as ElicitationId,
    of: 'requester',
    ground: 'asked',
  });
  expect(erased.erased).toBe(1);
  expect([(await house.find(ada)).state, (await house.find(bob)).state]).toEqual(['missing', 'stored']);
  expect(provider.isLive(first.token)).toBe(true);
  await withdrawConnections(server.engine);
  expect([provider.isLive(first.token), provider.isLive(other.token)]).toEqual([false, true]);
  const left = await server.engine.connections.withdrawals();
  expect(left).toEqual([]);
  await server.stop();
  await provider.close();
});

test('rotating secrets seals connections again, and those that wait for their withdrawal', async () => {
  const [k1, k2] = [
    { kid: 'k1', secret: 'the-first-secret-of-this-installation' },
    { kid: 'k2', secret: 'the-second-secret-of-this-installation' },
  ];
  const own = await freshDatabase();
  const provider = await startFakeProvider();
  const options = { databaseUrl: own.url };
  let house = await openHouse(provider, { ...options, secrets: [k1] });
  const [ada, bob] = [{ subject: 'client:ada' }, { subject: 'client:bob' }];
  const [stays, leaves] = [await connect(house, ada), await connect(house, bob)];
  await house.server.stop();
  house = await openHouse(provider, { ...options, secrets: [k1, k2] });
  const { engine } = house.server;
  await house.server.secrets.rotate();
  provider.isDown();
  await removeCredential(engine, 'operator', leaves.id);
  await withdrawConnections(engine);
  await expect(house.server.secrets.retire('k1', { endLinks: true })).rejects.toMatchObject({ code: 'not-now' });
  await house.server.secrets.rewrap();
  await house.server.secrets.retire('k1', { endLinks: true });
  await house.server.stop();
  provider.isDown(false);
  house = await openHouse(provider, { ...options, secrets: [k2], now: () => Date.now() + 60_001 });
  await withdrawConnections(house.server.engine);
  await until(() => !provider.isLive(leaves.token)); // its own loop may have begun to
  expect(provider.isLive(stays.token)).toBe(true);
  const use = house.asking.call('POST', `/v1/connections/${stays.id}/token`, { requester: ada });
  expect(await json<ConnectionToken>(use)).toMatchObject({ token: stays.token });
  await house.server.stop();
  await provider.close();
  await own.drop();
});
