import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import type { IdentityProvider } from '#access/oidc/contract/identity-provider';
import { createHealth } from '#platform/nodes/verbs/health';
import type { Loop } from '#platform/nodes/loops/loop';
import { createSurroundingsLoop, type Surroundings } from '#platform/nodes/loops/surroundings';

const log = pino({ level: 'silent' });
const [now, hour] = [Date.parse('2026-11-29T12:00:00Z'), 3_600_000];
let loop: Loop | undefined;
let server: Server | undefined;
afterEach(async () => {
  await loop?.stop();
  server?.close();
});

const provider = (name: string, answers: boolean): IdentityProvider =>
  ({
    settings: { name },
    discover: () => (answers ? Promise.resolve() : Promise.reject(new Error('away'))),
  }) as unknown as IdentityProvider;

const sound: Surroundings = { verifyMail: null, keepsHead: true, publicUrl: null };

/** What a node warns of after its first look. */
async function warningsWith(parts: Partial<Surroundings> & Record<string, unknown>): Promise<unknown[]> {
  const health = createHealth(() => now);
  const engine = {
    health,
    providers: [provider('Okta', true)],
    environment: 'production',
    readLastBackup: async () => now - hour,
    readInstalledAt: async () => now - 90 * 24 * hour,
    now: () => now,
    ...parts,
  };
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] });
  loop = createSurroundingsLoop(engine as never, { ...sound, ...parts }, log);
  loop.start();
  await jest.advanceTimersByTimeAsync(0);
  expect(health.warnings()).toEqual([]);
  jest.advanceTimersByTime(30_000);
  jest.useRealTimers();
  await loop.stop();
  return health.warnings();
}

async function serve(status: number, body: string): Promise<string> {
  server = createServer((_request, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a sound installation has nothing to look at', async () => {
  const publicUrl = await serve(200, '{"status":"alive"}');
  expect(await warningsWith({ publicUrl, verifyMail: async () => {} })).toEqual([]);
});

describe('each fault is named', () => {
  test.each<[string, Partial<Surroundings> & Record<string, unknown>, object]>([
    [
      'mail server',
      { verifyMail: () => Promise.reject(Object.assign(new Error('no'), { code: 'EAUTH' })) },
      { code: 'mail-server-fails', fault: 'EAUTH' },
    ],
    [
      'identity provider',
      { providers: [provider('Okta', true), provider('Entra', false)] },
      { code: 'provider-fails', providers: ['Entra'] },
    ],
    ['public address', { publicUrl: 'https://assentry.invalid' }, { code: 'address-fails', fault: 'ENOTFOUND' }],
    ['no backup', { readLastBackup: async () => null }, { code: 'backup-missing', at: null }],
    ['old backup', { readLastBackup: async () => now - 27 * hour }, { code: 'backup-missing', at: now - 27 * hour }],
    ['head of the log', { keepsHead: false }, { code: 'log-head-not-kept' }],
  ])('%s', async (_name, parts, warning) => {
    expect(await warningsWith(parts)).toEqual([warning]);
  });

  test('something else at the public address', async () => {
    expect(await warningsWith({ publicUrl: await serve(200, '<html>Welcome</html>') })).toEqual([
      { code: 'address-fails', fault: 'HTTP 200' },
    ]);
  });
});

describe('what says nothing is no fault', () => {
  test.each<[string, Partial<Surroundings> & Record<string, unknown>]>([
    ['a node that may not reach its own public address', { publicUrl: 'http://127.0.0.1:1' }],
    [
      'a trial without backup and kept head',
      { environment: 'trial', keepsHead: false, readLastBackup: async () => null },
    ],
    ['an installation of today', { readLastBackup: async () => null, readInstalledAt: async () => now - hour }],
  ])('%s', async (_name, parts) => {
    expect(await warningsWith(parts)).toEqual([]);
  });
});
