import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { lookAtProviders } from '#connect/outcomes/verbs/settle';
import { startFakePayments } from '../../support/connect/fake-payments.ts';
import { query } from '../../support/databases/embedded.ts';
import { startStatementProxy, type Boundary } from '../../support/databases/statement-proxy.ts';
import { json } from '../../support/json.ts';
import { until } from '../../support/poll.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { freePort } from '../../support/nodes/free-port.ts';
import { spawnNode } from '../../support/nodes/node-process.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { letIn, newVisitor, type Visitor } from '../../support/nodes/visitor.ts';
import { drawFrom } from '../../support/draw.ts';
import { drawn, isNight, seedOf } from '../../support/runs.ts';

/** Milliseconds by which the node that goes on is late. */
let lag = 0;
const provider = await startFakePayments({ now: () => Date.now() });
const outcomeProviders = [provider.settings({ servers: ['payments'] })];
const [port, own] = [await freePort(), await freePort()];
/** The node that goes on when the one at the public address has been killed. */
const server = await startTestServer({
  outcomeProviders,
  publicUrl: `http://127.0.0.1:${port}`,
  port: own,
  now: () => Date.now() - lag,
});
const proxy = await startStatementProxy(server.databaseUrl);
const key = await server.newServerKey();
const here = `http://127.0.0.1:${own}`;
const [asking, dying] = [askingAt(here, key), askingAt(`http://127.0.0.1:${port}`, key, fetch)];
afterEach(() => {
  lag = 0;
  proxy.reset();
});
afterAll(async () => {
  proxy.stop();
  await server.stop();
  await provider.close();
});

type Asked = OpenedElicitation & { url: string; code: string };

const requester = { subject: 'client:killed' };
const expects = { kind: 'payment', provider: 'fake-payments', amount: '100.00', currency: 'EUR', for: 'Order 1042' };
const body = { mode: 'url', schema: undefined, audience: undefined, message: 'Pay.', requester, expects };

interface Payment {
  call: string;
  request: Asked | null;
  visitor: Visitor;
}

/** Repeats the question of this call at the node that lives; the same question stays the same request. */
const askAgain = (payment: Payment): Promise<Asked> =>
  asking.open({ ...body, ttl: 3_600_000, call: payment.call, id: undefined }) as Promise<Asked>;

const hereOf = (url: string): string => url.replace(`:${port}/`, `:${own}/`);
const sessionOf = (before: number) => provider.sessions().slice(before);

/** Leaves for the checkout at one of the nodes. */
async function leave({ visitor }: Payment, { code }: Asked, url: string): Promise<number> {
  await letIn(visitor, url, code);
  return (await visitor.send(url, { action: 'accept' })).status;
}

interface Step {
  /** Statements of the step that count. */
  of: RegExp;
  /** Their number. */
  count: number;
  /** Other money moves than was asked for. */
  isUnfit?: true;
  /** What is done at the node that dies, after it has been prepared at the one that lives. */
  prepare(payment: Payment): Promise<() => Promise<unknown>>;
}

const eventsAt = (url: string): string => `${url}/providers/fake-payments/events`;

async function begun(payment: Payment): Promise<string> {
  const before = provider.sessions().length;
  payment.request = await askAgain(payment);
  await leave(payment, payment.request, hereOf(payment.request.url));
  return sessionOf(before)[0]?.id ?? '';
}

/** As if so much time had passed that the provider is asked. */
const makeDue = ({ id }: { id: string }) =>
  query(
    server.databaseUrl,
    `UPDATE expectation SET next_look_at = now() - interval '1 second' WHERE elicitation_id = '${id}'`,
  );

/** The statements of a step, without those of the loop that asks providers besides. */
const notLooking = (of: RegExp): RegExp => new RegExp(`^(?!.*(looks \\+ 1|DELETE FROM)).*(${of.source})`, 's');

const steps: Record<string, Step> = {
  opening: {
    of: /WITH input AS/,
    count: 1,
    prepare:
      async ({ call }) =>
      () =>
        dying.open({ ...body, ttl: 3_600_000, call }),
  },
  leaving: {
    of: notLooking(/expectation|page_proof|WITH input AS/),
    count: 7,
    async prepare(payment) {
      payment.request = await askAgain(payment);
      await letIn(payment.visitor, hereOf(payment.request.url), payment.request.code);
      const { url } = payment.request;
      return () => payment.visitor.get(url).then(() => payment.visitor.send(url, { action: 'accept' }));
    },
  },
  event: {
    of: notLooking(/expectation|provider_event|WITH input AS|e\.tool_call_id AS/),
    count: 3,
    async prepare(payment) {
      const paid = provider.pays(await begun(payment));
      return () => provider.deliver(paid, eventsAt(`http://127.0.0.1:${port}`));
    },
  },
  'an event of other money': {
    of: notLooking(/expectation|provider_event|callback_report|WITH input AS|e\.tool_call_id AS/),
    count: 5,
    isUnfit: true,
    async prepare(payment) {
      const paid = provider.pays(await begun(payment), { amount: 9_999 });
      return () => provider.deliver(paid, eventsAt(`http://127.0.0.1:${port}`));
    },
  },
  looking: {
    of: /expectation|WITH input AS|e\.tool_call_id AS/,
    count: 3,
    async prepare(payment) {
      provider.pays(await begun(payment));
      await makeDue(payment.request as Asked);
      lag = 600_000; // else it may ask before the one that dies
      return () => until(() => proxy.count() >= steps['looking']!.count, { within: 30_000 });
    },
  },
};

/** Does this at a node that dies at the boundary, or has just begun if it is late; false if it died before it had answered. */
async function atDying(act: () => Promise<unknown>, boundary: Boundary, isLate = false): Promise<boolean> {
  let reach = (): void => {};
  const reached = new Promise<'reached'>((resolve) => (reach = () => resolve('reached')));
  if (!isLate) proxy.stopAt(boundary, reach);
  const node = await spawnNode(proxy.url, { port, outcomeProviders });
  if (isLate) proxy.stopAt(boundary, reach);
  const end = await Promise.race([reached, act().then(() => 'answered' as const)]);
  await node.kill();
  return end === 'answered';
}

const entriesOf = async ({ id }: { id: string }): Promise<string[]> =>
  (await server.engine.reader.history(id as never)).map((entry) => Buffer.from(entry).toString());

/** Goes on as the provider would: it sends what was paid until it is taken. The call never runs, and the money is listed once. */
async function goOnUnfit(payment: Payment): Promise<void> {
  const { id } = await askAgain(payment);
  await makeDue({ id });
  await lookAtProviders(server.engine);
  const session = provider.sessions().at(-1)?.id ?? '';
  const paid = provider.pays(session, { amount: 9_999 });
  expect(await provider.deliver(paid, eventsAt(here), { times: 2 })).toEqual([200, 200]);
  const ended = await json<OpenedElicitation>(asking.call('GET', `/v1/elicitations/${id}`));
  expect(ended).toMatchObject({ status: 'cancelled', cause: 'mismatch' });
  const entries = await entriesOf({ id });
  expect(entries.filter((entry) => entry.includes('"elicitation.mismatch"'))).toHaveLength(1);
  expect(entries.filter((entry) => entry.includes('"callback.'))).toHaveLength(1);
  expect(entries.filter((entry) => entry.includes('"to":"accepted"'))).toEqual([]);
}

/** Goes on at the node that lives, as the author, the person and the provider would. */
async function goOn(payment: Payment, { isUnfit }: Pick<Step, 'isUnfit'> = {}): Promise<void> {
  lag = 0;
  if (isUnfit) return goOnUnfit(payment);
  const request = await askAgain(payment);
  const before = provider.sessions().length;
  await makeDue(request);
  await lookAtProviders(server.engine);
  const { status } = await json<OpenedElicitation>(asking.call('GET', `/v1/elicitations/${request.id}`));
  if (status === 'open') {
    await leave(payment, request, hereOf(request.url));
    const sessions = provider.sessions();
    expect(sessions.length - before).toBeLessThanOrEqual(1);
    const session = sessions.findLast(({ success_url: back }) => back !== '');
    const paid = provider.pays(session?.id ?? '');
    expect(await provider.deliver(paid, eventsAt(here), { times: 2 })).toEqual([200, 200]);
  }
  const ended = await json<OpenedElicitation>(asking.call('GET', `/v1/elicitations/${request.id}`));
  expect(ended).toMatchObject({ status: 'accepted', content: { amount: '100.00', currency: 'EUR' } });
  const entries = await entriesOf(request);
  expect(entries.filter((entry) => entry.includes('"to":"accepted"'))).toHaveLength(1);
  expect(entries.filter((entry) => entry.includes('"callback.'))).toEqual([]);
}

let payments = 0;
const newPayment = (): Payment => ({ call: `killed-${(payments += 1)}`, request: null, visitor: newVisitor() });

const boundaries = Object.entries(steps).flatMap(([name, { count }]) =>
  Array.from({ length: count }, (_, at) => at + 1).flatMap((nth) =>
    (['before', 'after'] as const).map((side) => ({ name, nth, side })),
  ),
);

test.each(drawn('statements of a payment', Object.keys(steps), { least: 1 }))(
  '%s has so many statements',
  async (name) => {
    const step = steps[name] as Step;
    const { of, count, prepare } = step;
    const payment = newPayment();
    const act = await prepare(payment);
    expect(await atDying(act, { nth: 0, side: 'before', of })).toBe(true);
    expect(proxy.count()).toBe(count);
    proxy.reset();
    await goOn(payment, step);
  },
);

test.each(drawn('payment killed at a statement', boundaries, { least: 3 }))(
  'of $name, a node that is killed $side the statement $nth leaves one payment, which releases its call once',
  async ({ name, nth, side }) => {
    const step = steps[name] as Step;
    const { of, prepare } = step;
    const payment = newPayment();
    const act = await prepare(payment);
    await atDying(act, { nth, side, of });
    proxy.reset();
    await goOn(payment, step);
  },
);

const rounds = isNight ? 200 : 1;

test(
  'at whichever statement a node is killed, again and again, each payment is one',
  async () => {
    const draw = drawFrom(seedOf('payments killed anywhere'));
    const names = Object.keys(steps);
    for (let round = 0; round < rounds; round += 1) {
      const step = steps[names[Math.floor(draw() * names.length)] as string] as Step;
      const boundary = { nth: 1 + Math.floor(draw() * 40), side: draw() < 0.5 ? 'before' : 'after', of: /^/ } as const;
      const payment = newPayment();
      await atDying(await step.prepare(payment), boundary, true);
      proxy.reset();
      await goOn(payment, step);
    }
  },
  rounds * 60_000,
);
