import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '#platform/config/config';
import { readSecrets } from '#platform/config/secrets';
import { openOperator } from '#server/open-operator';
import { killProcesses, serveAssentry, type AssentryProcess } from '../cli/assentry-process.ts';
import { listRequests } from '../sdk/mcp/peers.ts';
import { freshDatabase } from '../support/databases/database.ts';
import { nodeUrl } from '../support/databases/node-login.ts';
import { until } from '../support/poll.ts';
import { signIn, type TestUser } from '../support/nodes/server.ts';
import { newHouse, type KilledHouse } from './killed-house.ts';

const names = ['filesystem', 'memory', 'sequential-thinking', 'everything', 'taskmanager', 'ledger'];
const calls = ['running', 'held'].flatMap((kind) => names.map((name) => `${name} ${kind}`));
/** What the same call hears of one that ran. A gateway that was killed may come back with the result for ten minutes. */
const outcomes: Partial<Record<string, RegExp>> = {
  gateway: /Request timed out/,
  server: /its end was never recorded/,
};
let house: KilledHouse | undefined;
afterEach(() => {
  house?.killGateway();
  house?.killServers();
});
afterAll(killProcesses);

async function equip(env: Record<string, string>, url: string) {
  const operator = await openOperator({ ...readConfig(env), secrets: readSecrets(env) });
  const password = 'seven quiet otters paint';
  const user = await operator.addUser({ email: 'ada@example.com', name: 'Ada', role: 'approver', password });
  const keys: Record<string, string> = {};
  for (const name of names) keys[name] = await operator.createServerKey(name);
  await operator.close();
  return { approver: await signIn(url, user), keys };
}

/** Approves what each server was asked of this kind. */
async function approve(approver: TestUser, kind: string): Promise<void> {
  const ids = await until(async () => {
    const requests = await listRequests(approver);
    const shown = await Promise.all(requests.map(({ id }) => approver.show(id)));
    const fitting = requests.filter((_, at) => JSON.stringify(shown[at]).includes(` ${kind}`));
    return fitting.length === names.length && fitting.map(({ id }) => id);
  });
  for (const id of ids) expect((await approver.vote(id, 'accept')).status).toBe(200);
}

/** What it heard of each call. */
async function heardBy({ ended }: AssentryProcess): Promise<Map<string, string>> {
  const lines = (await ended).stdout.split('\n').filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line) as [string, string]));
}

describe.each(['at /u/NAME/mcp', 'through wrap'])('%s', (door) => {
  test.each(['gateway', 'orchestrator', 'server', 'client'] as const)(
    'the %s is killed: what ran is known, waited for or reported as unknown; what was held runs; nothing runs twice',
    async (victim) => {
      const database = await freshDatabase();
      const env = { DATABASE_URL: nodeUrl(database.url), ASSENTRY_SECRET: 'a-secret-for-tests-of-enough-characters' };
      const assentry = await serveAssentry(env);
      const { approver, keys } = await equip(env, assentry.url);
      const own = (house = newHouse({ isWrapped: door === 'through wrap', url: assentry.url, keys }));
      await own.startGateway();
      const first = own.call(calls);
      await approve(approver, 'running');
      await until(() => own.ran().length === names.length);
      if (victim === 'gateway') own.killGateway();
      if (victim === 'orchestrator') await assentry.end('SIGKILL');
      if (victim === 'server') own.killServers();
      if (victim === 'gateway' || victim === 'client') first.child.kill('SIGKILL');
      if (victim === 'gateway') await own.startGateway();
      if (victim === 'orchestrator') await serveAssentry({ ...env, ASSENTRY_PORT: new URL(assentry.url).port });
      own.answer();
      await approve(approver, 'held');
      const heard = await heardBy(first);
      const missing = () => calls.filter((name) => /Nothing was run/.test(heard.get(name) ?? 'Nothing was run'));
      const patience = victim === 'gateway' ? 15_000 : 80_000;
      // A server that was killed may be told of once more before it stands again.
      for (let tries = 0; tries < 3 && missing().length > 0; tries += 1)
        for (const [name, text] of await heardBy(own.call(missing(), patience))) heard.set(name, text);
      for (const { name, says } of own.servers) {
        expect([name, heard.get(`${name} running`)]).toEqual([name, expect.stringMatching(outcomes[victim] ?? says)]);
        expect([name, heard.get(`${name} held`)]).toEqual([name, expect.stringMatching(says)]);
      }
      expect([own.ran().length, new Set(own.ran()).size]).toEqual([calls.length, calls.length]);
      expect(await listRequests(approver)).toEqual([]);
      await killProcesses();
      await database.drop();
    },
    120_000,
  );
});
