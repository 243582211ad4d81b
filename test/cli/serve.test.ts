import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { once } from 'node:events';
import { readConfig } from '#platform/config/config';
import { setUpSentences, type LinkPlace } from '#access/sign-in/command';
import { readSecrets } from '#platform/config/secrets';
import { routes } from '#platform/http/contract/openapi';
import { openOperator } from '#server/open-operator';
import { isReachable } from '#platform/embedded/process';
import { freshDatabase } from '../support/databases/database.ts';
import { until } from '../support/poll.ts';
import { addressOf, startProxy } from '../chaos/proxy.ts';
import { ask } from './asking.ts';
import {
  killProcesses,
  runAssentry,
  sentencesOf,
  serveAssentry,
  startProgram,
  type Ended,
} from './assentry-process.ts';
import { shippedProgram } from '../support/compiled.ts';
import { discardDirectory, findDatabase, newDataDirectory } from './data-directory.ts';
import { nodeUrl } from '../support/databases/node-login.ts';

const secret = 'a-secret-for-tests-of-enough-characters';
const database = await freshDatabase();
afterAll(async () => {
  await killProcesses();
  await database.drop();
});
const env: Record<string, string> = { DATABASE_URL: nodeUrl(database.url), ASSENTRY_SECRET: secret };

async function makeKey(): Promise<string> {
  const operator = await openOperator({ ...readConfig(env), secrets: readSecrets(env) });
  return operator.createServerKey('payments').finally(() => operator.close());
}

test('AV-05: an error that nothing else has caught is logged, and the node serves on', async () => {
  const stray = 'process.on("SIGUSR2", () => { Promise.reject(new Error("lost")); throw new Error("stray") })';
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(stray)}`;
  const server = await serveAssentry({ ...env, NODE_OPTIONS });
  server.child.kill('SIGUSR2');
  await until(() => ['stray', 'lost'].every((message) => server.said.stderr.includes(`"message":"${message}"`)));
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
});

describe('the set-up link', () => {
  test('is in no log, but in a file for its owner only, and makes the first administrator; either signal ends the server', async () => {
    const directory = newDataDirectory('set-up');
    const own = { ...env, ASSENTRY_DATA_DIR: directory };
    const first = await serveAssentry(own);
    const file = path.join(directory, 'set-up-link');
    await until(() => first.said.stderr.includes(file)); // its two outputs arrive in any order
    expect(sentencesOf(first.said.stderr)).toContain(
      `No one can sign in yet. Create the first administrator with the link in this file, once, within a day: ${file}`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const link = new URL(readFileSync(file, 'utf8'));
    expect(link.href).toMatch(/\/setup#link=\S+$/);
    expect(link.origin).toBe(first.url);
    expect((await fetch(link)).status).toBe(200);
    const ada = { email: 'ada@example.com', name: 'Ada', password: 'seven quiet otters paint' };
    const body = JSON.stringify({ link: new URLSearchParams(link.hash.slice(1)).get('link'), ...ada });
    const headers = { 'content-type': 'application/json', origin: first.url };
    const response = await fetch(`${first.url}${routes.setUp.path}`, { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toMatchObject([201, { user: { role: 'admin' } }]);
    await until(() => !existsSync(file));
    const ended = await first.end('SIGINT');
    expect(ended).toMatchObject({ code: 0, stdout: `Assentry is ready at ${first.url}\n` });
    expect(ended.stderr).not.toContain('link=');
    const second = await serveAssentry(own);
    const { code, stdout, stderr } = await second.end('SIGTERM');
    expect([code, stdout]).toEqual([0, `Assentry is ready at ${second.url}\n`]);
    expect(sentencesOf(stderr).filter((sentence) => sentence !== 'the head of the log')).toEqual([
      expect.stringMatching(/^This is a trial: /),
      'Stopping after the answers in progress …',
    ]);
  });

  test('is shown by a terminal only', () => {
    const shown = (place: LinkPlace) => setUpSentences('https://x/setup#link=s', place).join().includes('link=');
    expect([shown('terminal'), shown({ file: '/data/set-up-link' }), shown(null)]).toEqual([true, false, false]);
  });
});

describe('a server that gets a signal to stop', () => {
  test('answers what it was asked, ends its streams and exits 0', async () => {
    const server = await serveAssentry(env);
    const key = await makeKey();
    const { id } = await ask(server.url, key);
    const headers = { authorization: `Bearer ${key}` };
    const stream = await fetch(`${server.url}${routes.streamOutcomes.path}`, { headers });
    const waiting = fetch(`${server.url}/v1/elicitations/${id}?wait=25`, { headers });
    await until(async () => (await fetch(`${server.url}/healthz`)).ok);
    const ended = server.end('SIGTERM');
    expect((await waiting).status).toBe(200);
    expect(await (await waiting).json()).toMatchObject({ id, status: 'open' });
    expect(await stream.text()).toContain('event: ready');
    expect((await ended).code).toBe(0);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  test('says so at /readyz and serves on while balancers look elsewhere; a second signal ends the wait', async () => {
    const server = await serveAssentry({ ...env, ASSENTRY_SHUTDOWN_GRACE: '300' });
    server.child.kill('SIGTERM');
    const ready = () => fetch(`${server.url}/readyz`, { headers: { connection: 'close' } });
    const response = await until(async () => {
      const answer = await ready();
      return !answer.ok && answer;
    });
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'shutting-down' }]);
    const request = await ask(server.url, await makeKey());
    expect(request.id).toMatch(/^eli_/);
    const ended = await server.end('SIGTERM');
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('Stopping in 300 s')]);
  });

  test('waits for as long as it was told', async () => {
    const server = await serveAssentry({ ...env, ASSENTRY_SHUTDOWN_GRACE: '2' });
    const startedAt = performance.now();
    expect((await server.end('SIGTERM')).code).toBe(0);
    expect(performance.now() - startedAt).toBeGreaterThan(2000);
  });

  test('while it starts stops once it has started, and leaves no database behind', async () => {
    const directory = newDataDirectory('starting');
    const {
      child,
      said: run,
      ended,
    } = startProgram([shippedProgram, 'serve'], {
      env: { ASSENTRY_DATA_DIR: directory, ASSENTRY_PORT: '0' },
    });
    await until(() => run.stderr.includes('Opening the embedded database'));
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(await findDatabase(directory)).toBeUndefined();
    await discardDirectory(directory);
  });
});

test('serves as an ordinary user, who owns all that it writes', async () => {
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot && isReachable(process.cwd()) ? nobody() : process.getuid?.();
  const directory = newDataDirectory('ordinary');
  if (uid !== undefined) makeFor(uid, path.dirname(directory));
  const words = isRoot && uid !== undefined ? ['test/cli/as-user.ts', String(uid)] : [shippedProgram];
  const server = await serveAssentry({ ASSENTRY_DATA_DIR: directory }, words);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
  expect(await findDatabase(directory)).toBeUndefined();
  const owners = ['secret', 'postgres/data/PG_VERSION'].map((file) => statSync(path.join(directory, file)).uid);
  expect(owners).toEqual([uid, uid]);
  expect(statSync(path.join(directory, 'secret')).mode & 0o777).toBe(0o600);
});

const nobody = (): number => Number(/^nobody:[^:]*:(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[1]);

function makeFor(uid: number, directory: string): void {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o755);
  chownSync(directory, uid, uid);
}

describe('a wrong setting stops the start', () => {
  const listener = createServer();
  const file = `${newDataDirectory('file')}.txt`;
  let port: number;
  beforeAll(async () => {
    writeFileSync(file, '');
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    port = (listener.address() as AddressInfo).port;
  });
  afterAll(() => void listener.close());

  /** Ends with code 2 and one line on standard error; gives the line. */
  async function refusalOf(record: Record<string, string>): Promise<string> {
    const { code, stdout, stderr } = await serve(record);
    const sentences = sentencesOf(stderr);
    expect([code, stdout, sentences.length]).toEqual([2, '', 1]);
    return sentences.join();
  }
  const serve = (record: Record<string, string>): Promise<Ended> => runAssentry(['serve'], { env: record });

  test('before anything is opened', async () => {
    const lines = await Promise.all([
      refusalOf({ ...env, ASSENTRY_PORT: '99999' }),
      refusalOf({ ...env, ASSENTRY_LOG_LEVEL: 'loud' }),
      refusalOf({ DATABASE_URL: nodeUrl(database.url) }),
      refusalOf({ ...env, DATABASE_URL: 'mysql://ada:s3cret@db/assentry' }),
      refusalOf({ ...env, ASSENTRY_SECRETS: 'a:too-short-a-secret' }),
    ]);
    expect(lines).toEqual([
      'assentry: ASSENTRY_PORT: found "99999"; give a number from 0 to 65535.',
      'assentry: ASSENTRY_LOG_LEVEL: found "loud"; give one of silent, error, warn, info, debug.',
      expect.stringMatching(/^assentry: ASSENTRY_SECRET: found nothing; with DATABASE_URL every node needs the same/),
      expect.stringMatching(/^assentry: DATABASE_URL: found something that is no address of a PostgreSQL server/),
      'assentry: ASSENTRY_SECRETS: found in part 1 a secret of 18 characters; use at least 32.',
    ]);
    expect(lines.join()).not.toMatch(/s3cret|too-short/);
  });

  test("if the port is taken, the address is not this machine's, or the directory is not one", async () => {
    const lines = await Promise.all([
      refusalOf({ ...env, ASSENTRY_PORT: String(port) }),
      refusalOf({ ...env, ASSENTRY_HOST: '192.0.2.1' }),
      refusalOf({ ASSENTRY_DATA_DIR: file }),
    ]);
    expect(lines).toEqual([
      `assentry: ASSENTRY_PORT: found ${port}, where something listens already; give a free one, or 0 for any.`,
      expect.stringMatching(/^assentry: ASSENTRY_HOST: found 192.0.2.1, which is no address of this machine \(E/),
      expect.stringMatching(/^assentry: ASSENTRY_DATA_DIR: found \S+, which is a file; give a directory/),
    ]);
  });

  test('if another process serves the data directory at this address already, and says which', async () => {
    const directory = newDataDirectory('served');
    const server = await serveAssentry({ ASSENTRY_DATA_DIR: directory });
    const { port: own } = new URL(server.url);
    const { code, stderr } = await serve({ ASSENTRY_DATA_DIR: directory, ASSENTRY_PORT: own });
    const [sentence] = sentencesOf(stderr).slice(-1);
    expect([code, sentence]).toEqual([
      2,
      expect.stringMatching(
        new RegExp(`^assentry: Use the Assentry that serves this data directory already, at ${server.url}\\. To serve`),
      ),
    ]);
    await server.end('SIGTERM');
    await discardDirectory(directory);
  });

  test("if the embedded database's port is taken, and leaves nothing running", async () => {
    const directory = newDataDirectory('port');
    const { code, stderr } = await serve({ ASSENTRY_DATA_DIR: directory, ASSENTRY_DB_PORT: String(port) });
    expect(code).toBe(2);
    expect(stderr).toContain(`assentry: ASSENTRY_DB_PORT: found ${port}, where something listens already; give a free`);
    expect(await findDatabase(directory)).toBeUndefined();
    await discardDirectory(directory);
  });

  test('while a database that is down is a failure, reported without its password', async () => {
    const { code, stdout, stderr } = await serve({ ...env, DATABASE_URL: `postgresql://ada:s3cret@127.0.0.1:1/x` });
    expect([code, stdout]).toEqual([1, '']);
    expect(sentencesOf(stderr)).toEqual([
      expect.stringMatching(/^assentry: Check the database: it cannot be reached \(.*ECONNREFUSED.*\)\.$/),
    ]);
    expect(stderr).not.toContain('s3cret');
  });
});

describe('a database that is not there yet', () => {
  const waiting = 'Waiting for the database, up to 30 s.';

  test('is waited for on demand, and one signal ends the wait', async () => {
    const network = await startProxy([]);
    const target = new URL(env.DATABASE_URL ?? '');
    const url = `postgresql://${target.username}:${target.password}@127.0.0.1:${network.port}${target.pathname}`;
    const lost = startProgram([shippedProgram, 'serve', '--wait=30'], { env: { ...env, DATABASE_URL: url } });
    await until(() => lost.said.stderr.includes(waiting));
    lost.child.kill('SIGTERM');
    expect(await lost.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Check the database') });
    network.stop();

    const late = { ...env, DATABASE_URL: url, ASSENTRY_PORT: '0', ASSENTRY_SHUTDOWN_GRACE: '0' };
    const patient = startProgram([shippedProgram, 'serve', '--wait=30'], { env: late });
    await until(() => patient.said.stderr.includes(waiting));
    const forwarder = createServer((socket) => {
      const other = connect(addressOf(database.url));
      socket.pipe(other).pipe(socket);
      for (const each of [socket, other]) each.on('error', () => {});
    }).listen(network.port, '127.0.0.1');
    await until(() => patient.said.stdout.includes('Assentry is ready at'));
    patient.child.kill('SIGTERM');
    expect(await patient.ended).toMatchObject({ code: 0 });
    forwarder.close();
  });

  test('is waited for so many seconds and no word', async () => {
    const refused = await runAssentry(['serve', '--wait=soon'], { env });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Give a number of seconds') });
  });
});
