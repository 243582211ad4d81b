import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { killProcesses, serveAssentry, startProgram, type ServingProcess } from '../cli/assentry-process.ts';
import { discardDirectory, newDataDirectory } from '../cli/data-directory.ts';
import { findRequest, listRequests } from '../sdk/mcp/peers.ts';
import { freshDatabase } from '../support/databases/database.ts';
import { until } from '../support/poll.ts';
import { signIn, startTestServer, type TestUser, type TestServer } from '../support/nodes/server.ts';
import { openOperator } from '#server/open-operator';
import { readConfig } from '#platform/config/config';
import { readSecrets } from '#platform/config/secrets';
import { closeClients, deleteAccount, isHeld, newLedger, readLedger, startExample } from './example-server.ts';
import { gateNotes } from './gateway-process.ts';
import { startTwoNodeProxy } from './two-node-proxy.ts';
import { nodeUrl } from '../support/databases/node-login.ts';
import { drawn } from '../support/runs.ts';

const secret = 'a-secret-for-tests-of-enough-characters';
afterEach(closeClients);
afterAll(killProcesses);

/** An approver and an MCP server's key, made as the operator of a running installation makes them. */
async function equip(
  env: Record<string, string>,
  url: string,
  policies: string[] = [],
): Promise<{ approver: TestUser; apiKey: string }> {
  const operator = await openOperator({ ...readConfig(env), secrets: readSecrets(env) });
  try {
    const ada = {
      email: 'ada@example.com',
      name: 'Ada',
      role: 'approver',
      password: 'seven quiet otters paint',
    } as const;
    const user = await operator.addUser(ada);
    await operator.applyPolicies(policies);
    return { approver: await signIn(url, user), apiKey: await operator.createServerKey('payments') };
  } finally {
    await operator.close();
  }
}

const accept = async (approver: TestUser, id: string): Promise<void> => {
  expect((await approver.vote(id, 'accept', { confirmed: true })).status).toBe(200);
};

test('promise 9: a held call resumes after its server was killed and started again', async () => {
  const directory = newDataDirectory('killed');
  const env = { ASSENTRY_DATA_DIR: directory };
  const first = await serveAssentry(env);
  const { approver, apiKey } = await equip(env, first.url);
  const ledger = newLedger();
  const call = deleteAccount(await startExample('stdio', { url: first.url, apiKey, ledger }), 'a');
  const { id } = await findRequest(approver, 'Delete the account a?');
  await until(() => isHeld(call));
  await first.end('SIGKILL');
  await expect(fetch(first.url)).rejects.toThrow();
  const second = await serveAssentry({ ...env, ASSENTRY_PORT: new URL(first.url).port });
  expect(second.url).toBe(first.url);
  expect(readLedger(ledger)).toBe('');
  await accept(approver, id);
  expect(await call.said).toBe('Account a is deleted.');
  expect(readLedger(ledger)).toBe('deleted a\n');
  await second.end('SIGTERM');
  await discardDirectory(directory);
});

test('promise 9: a caller whose node was killed after the vote gets the answer from another', async () => {
  const database = await freshDatabase();
  const env = { DATABASE_URL: nodeUrl(database.url), ASSENTRY_SECRET: secret };
  const [first, other]: [ServingProcess, ServingProcess] = await Promise.all([serveAssentry(env), serveAssentry(env)]);
  const proxy = await startTwoNodeProxy(first.url, other.url);
  const { approver, apiKey } = await equip(env, other.url);
  const ledger = newLedger();
  const call = deleteAccount(await startExample('stdio', { url: proxy.url, apiKey, ledger }), 'd');
  const { id } = await findRequest(approver, 'Delete the account d?');
  await until(() => isHeld(call));
  expect([...proxy.given.keys()]).toEqual([first.url]);
  first.child.kill('SIGSTOP'); // it hears of the vote, and can tell no one
  await accept(approver, id);
  expect(readLedger(ledger)).toBe('');
  await first.end('SIGKILL');
  expect(await call.said).toBe('Account d is deleted.');
  expect([...proxy.given.keys()]).toEqual([first.url, other.url]);
  expect(readLedger(ledger)).toBe('deleted d\n');
  proxy.stop();
  await other.end('SIGTERM');
  await database.drop();
});

describe('a call whose MCP server was killed', () => {
  let server: TestServer;
  let approver: TestUser;
  let apiKey: string;
  beforeAll(async () => {
    server = await startTestServer();
    approver = await server.newUser('approver');
    apiKey = await server.newServerKey('payments');
  });
  afterAll(() => server?.stop());

  test.each(drawn('killed servers', ['stdio', 'http'] as const, { least: 1 }))(
    'promise 4: over %s, joins its question when it comes again, and runs once',
    async (kind) => {
      const settings = { url: server.url, apiKey, ledger: newLedger() };
      const message = `Delete the account ${kind}?`;
      const first = await startExample(kind, settings);
      const lost = deleteAccount(first, kind);
      const { id } = await findRequest(approver, message);
      await until(() => isHeld(lost));
      await first.kill();
      const call = deleteAccount(await startExample(kind, settings), kind);
      await until(() => isHeld(call));
      const shown = (await listRequests(approver)).filter((request) => request.message === message);
      expect(shown.map((request) => request.id)).toEqual([id]);
      await accept(approver, id);
      expect(await call.said).toBe(`Account ${kind} is deleted.`);
      expect(readLedger(settings.ledger)).toBe(`deleted ${kind}\n`);
    },
  );

  test('promise 4: finds what was approved meanwhile at once, and runs once', async () => {
    const settings = { url: server.url, apiKey, ledger: newLedger() };
    const first = await startExample('stdio', settings);
    const lost = deleteAccount(first, 'c');
    const { id } = await findRequest(approver, 'Delete the account c?');
    await until(() => isHeld(lost));
    await first.kill();
    expect(await lost.said).toBeUndefined();
    await accept(approver, id);
    expect(readLedger(settings.ledger)).toBe('');
    const call = deleteAccount(await startExample('stdio', settings), 'c');
    expect(await call.said).toBe('Account c is deleted.');
    expect(isHeld(call)).toBe(false);
    expect(readLedger(settings.ledger)).toBe('deleted c\n');
    expect(await listRequests(approver)).toEqual([]);
  });
});

const callNotes = (url: string, text: string, tool = 'write_note') =>
  startProgram(['test/stories/notes-caller.ts', url, text, tool]);

describe('a call that is held by the gateway over HTTP', () => {
  const victims = ['gateway', 'orchestrator', 'server', 'client'] as const;

  test.each(drawn('victims', victims, { least: 1 }))(
    'promise 4: runs once after the %s was killed, when it comes again',
    async (victim) => {
      const database = await freshDatabase();
      const env = { DATABASE_URL: nodeUrl(database.url), ASSENTRY_SECRET: secret };
      const assentry = await serveAssentry(env);
      const { approver, apiKey } = await equip(env, assentry.url);
      const notes = gateNotes(assentry.url, apiKey);
      const gateway = await notes.start();
      const first = callNotes(gateway.url, victim);
      const { id } = await findRequest(approver, 'Run write_note on notes?');
      if (victim === 'gateway') await gateway.kill();
      if (victim === 'orchestrator') await assentry.end('SIGKILL');
      if (victim === 'server') notes.killServers();
      first.child.kill('SIGKILL');
      const last = victim === 'gateway' ? await notes.start() : gateway;
      const port = new URL(assentry.url).port;
      if (victim === 'orchestrator') await serveAssentry({ ...env, ASSENTRY_PORT: port });
      await first.ended;
      const second = callNotes(last.url, victim);
      expect(notes.done()).toEqual([]);
      expect((await approver.vote(id, 'accept')).status).toBe(200);
      expect(await second.ended).toMatchObject({ stdout: `wrote ${victim}` });
      expect(notes.done()).toEqual([`wrote ${victim}`]);
      await last.kill();
      await killProcesses();
      await database.drop();
    },
  );
});

test('promise 4: a result that waits for its release outlives the gateway, and its call does not run again', async () => {
  const database = await freshDatabase();
  const env = { DATABASE_URL: nodeUrl(database.url), ASSENTRY_SECRET: secret };
  const assentry = await serveAssentry(env);
  const { approver, apiKey } = await equip(env, assentry.url, [
    'policy: releasing\nmatch: { tool: assentry.result }\nrequire: { stages: [{ name: One, approvers: anyone }] }\n',
    'policy: counts\nmatch: { tool: count_notes }\nallow: { ceiling: low }\n',
  ]);
  const allow = async (message: string): Promise<void> => {
    const { id } = await findRequest(approver, message);
    expect((await approver.vote(id, 'accept')).status).toBe(200);
  };
  const notes = gateNotes(assentry.url, apiKey);
  const gateway = await notes.start();
  const lost = [callNotes(gateway.url, 'kept'), callNotes(gateway.url, 'kept', 'count_notes')];
  await allow('Run write_note on notes?');
  const questions = ['write_note', 'count_notes'].map((tool) => `Release the result of ${tool} on notes?`);
  for (const question of questions) await findRequest(approver, question);
  await gateway.kill();
  for (const { child, ended } of lost) {
    child.kill('SIGKILL');
    await ended;
  }
  for (const question of questions) await allow(question);
  const { url } = await notes.start();
  expect(await callNotes(url, 'kept').ended).toMatchObject({ stdout: 'wrote kept' });
  expect(await callNotes(url, 'kept', 'count_notes').ended).toMatchObject({ stdout: 'counted kept' });
  expect(notes.done().toSorted()).toEqual(['counted kept', 'wrote kept']);
  expect(await listRequests(approver)).toEqual([]);
  await killProcesses();
  await database.drop();
});
