import { createClient, type AssentryClient } from '#sdk/client/client';
import { openOperator } from '#server/open-operator';
import type { Operator } from '#server/operator';
import { readConfig } from '#platform/config/config';
import { readSecrets } from '#platform/config/secrets';
import { nodeLogin, nodeUrl } from '../support/databases/node-login.ts';
import { until } from '../support/poll.ts';
import { signIn } from '../support/nodes/server.ts';
import { startChaosNode, type ChaosNode } from './chaos-node.ts';
import { startPair, type Pair } from './pair.ts';
import { startPgbouncer, type PoolMode } from './pgbouncer.ts';
import type { Cast, Voter } from './lifecycle.ts';
import { addressOf, startProxy, type Proxy } from './proxy.ts';
import { json } from '../support/json.ts';

/** Two nodes on one PostgreSQL and its standby, with a network before and behind each. */
export interface House {
  postgres: Pair;
  /** The one address of the database, which leads to whatever is the primary: a load balancer's part. */
  entrance: Proxy;
  nodes: ChaosNode[];
  /** From each node to the database, and from each caller to the nodes: the first caller prefers the first node. */
  networks: { database: Proxy[]; callers: Proxy[] };
  callers: Cast['callers'];
  voters: Voter[];
  /** What operators see, past every fault. */
  operate<T>(work: (operator: Operator) => Promise<T>): Promise<T>;
  stopNodes(): Promise<void>;
  remove(): Promise<void>;
}

const password = 'seven quiet otters paint';
const twoPeople = `policy: wires
match: { tool: wire }
require:
  stages: [{ name: Two, approvers: anyone, approve: 2 }]`;

/** With a pool mode, there is a PgBouncer in front of PostgreSQL. */
export async function startHouse(poolMode?: PoolMode): Promise<House> {
  const postgres = await startPair();
  const closers: (() => unknown)[] = [() => postgres.remove()];
  const remove = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  const env = {
    ASSENTRY_SECRETS: 'chaos:a-secret-for-chaos-of-enough-characters',
    ASSENTRY_ENVIRONMENT: 'trial',
    ASSENTRY_MAX_OPENED_PER_MINUTE: '1000000',
    ASSENTRY_MAX_CALLS_PER_MINUTE: '1000000',
  };
  const operate: House['operate'] = async (work) => {
    const settings = { ...env, DATABASE_URL: nodeUrl(postgres.url) };
    const operator = await openOperator({ ...readConfig(settings), secrets: readSecrets(settings) });
    return work(operator).finally(() => operator.close());
  };
  try {
    const entrance = await startProxy([addressOf(postgres.url)]);
    closers.push(() => entrance.stop());
    const pooler = poolMode && (await startPgbouncer(postgres, entrance, poolMode));
    closers.push(async () => pooler?.stop());
    const address = { host: '127.0.0.1', port: (pooler ?? entrance).port };
    const pooled = pooler && { ASSENTRY_DB_POOLER: 'on', ASSENTRY_DB_LISTEN: urlBy(entrance.port) };
    const database = await Promise.all([startProxy([address]), startProxy([address])]);
    const nodes = await Promise.all(
      database.map(({ port }) => startChaosNode({ ...env, ...pooled, DATABASE_URL: urlBy(port) })),
    );
    closers.push(() => Promise.all(nodes.map((node) => node.stop())));
    const ports = nodes.map(({ port }) => ({ host: '127.0.0.1', port }));
    const callers = await Promise.all([startProxy(ports), startProxy(ports.toReversed())]);
    closers.push(() => [...database, ...callers].forEach((proxy) => proxy.stop()));
    const people = await operate(equip);
    return {
      postgres,
      entrance,
      nodes,
      networks: { database, callers },
      callers: callers.map((proxy, at) => ({ name: `caller-${at}`, client: clientAt(proxy, people.key) })),
      voters: await Promise.all(people.users.map((user, at) => voterAt(callers[at] as Proxy, user))),
      operate,
      stopNodes: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

const urlBy = (port: number): string =>
  `postgresql://${nodeLogin.name}:${nodeLogin.password}@127.0.0.1:${port}/assentry`;

const urlOf = ({ port }: Proxy): string => `http://127.0.0.1:${port}`;

async function equip(operator: Operator) {
  const named = ['Ada', 'Bob'].map((name) => ({ name, email: `${name.toLowerCase()}@example.com` }));
  const users = await Promise.all(named.map((user) => operator.addUser({ ...user, role: 'approver', password })));
  await operator.applyPolicies([twoPeople]);
  return { users, key: await operator.createServerKey('payments') };
}

/** A dead connection is given up after a while, and then for as long as any fault lasts. */
const clientAt = (proxy: Proxy, apiKey: string): AssentryClient =>
  createClient({ url: urlOf(proxy), apiKey, requestTimeout: 10_000, retries: 200 });

async function voterAt(proxy: Proxy, user: { id: string; name: string; email: string }): Promise<Voter> {
  const { cookie } = await signIn(urlOf(proxy), user);
  return {
    user: user.id,
    async vote({ id, digest }, action) {
      const body = action === 'accept' ? { action, digest, content: {} } : { action, digest, comment: 'Not this one.' };
      const response = await fetch(`${urlOf(proxy)}/api/elicitations/${id}/vote`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', origin: urlOf(proxy) },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(5_000),
      });
      const { code = null } = await json<{ code?: string }>(response);
      const seconds = response.headers.get('retry-after');
      const isTold = response.status !== 503 || seconds !== null;
      const wait = seconds === null ? null : Number(seconds) * 1000;
      return { status: response.status, code: isTold ? code : 'no-retry-after', wait };
    },
  };
}

/** When every node answers again. */
export const untilReady = ({ nodes }: House): Promise<unknown> =>
  until(async () => {
    const ready = nodes.map(({ port }) =>
      fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(({ ok }) => ok),
    );
    return (await Promise.allSettled(ready)).every((each) => each.status === 'fulfilled' && each.value);
  });
