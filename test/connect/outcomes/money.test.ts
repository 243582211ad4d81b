import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { lookAtProviders } from '#connect/outcomes/verbs/settle';
import { drawFrom } from '../../support/draw.ts';
import { json } from '../../support/json.ts';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { letIn, newVisitor, type Visitor } from '../../support/nodes/visitor.ts';
import { isNight, seedOf } from '../../support/runs.ts';
import { startFakePayments, type FakeEvent, type Lies } from '../../support/connect/fake-payments.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

let ahead = 0;
const now = () => Date.now() + ahead;
const provider = await startFakePayments({ now });
const server = await startTestServer({ outcomeProviders: [provider.settings({ servers: ['payments'] })], now });
const database = new pg.Client({ connectionString: server.databaseUrl });
beforeAll(() => database.connect());
afterAll(async () => {
  await database.end();
  await server.stop();
  await provider.close();
});
const events = `${server.url}/providers/fake-payments/events`;
const expects = { kind: 'payment', provider: 'fake-payments', amount: '100.00', currency: 'EUR', for: 'Order 1042' };
const exact = { amount: 10_000, currency: 'eur' };

/** A session at the provider, and what really became of it there. */
interface Money {
  id: string;
  /** Did Assentry make it? Others carry the same reference, or none. */
  isOwn: boolean;
  truth: 'open' | 'processing' | 'paid' | 'failed' | 'expired';
  lies: Lies;
  /** Assentry has taken the event that says it is paid. */
  isDelivered: boolean;
}

interface Sending {
  event: FakeEvent;
  money: Money;
  /** It says that the money has moved. */
  isPaid: boolean;
}

interface History {
  request: OpenedElicitation & { url: string; code: string };
  asking: Asking;
  browser: Visitor | null;
  draw: () => number;
  /** The time after which no look is due. */
  until: number;
  monies: Money[];
  sendings: Sending[];
  story: string[];
  faults: string[];
}

/** The independent judge: exactly this amount of this currency, live, at the own account, in the own session. */
const fits = ({ isOwn, truth, lies }: Money): boolean => isOwn && truth === 'paid' && Object.keys(lies).length === 0;

const canChange = ({ isOwn, truth }: Money): boolean => isOwn && ['open', 'processing'].includes(truth);

const pick = <T>(draw: () => number, items: readonly T[]): T => items[Math.floor(draw() * items.length)] as T;

const statusOf = async ({ asking, request }: History): Promise<OpenedElicitation> =>
  json<OpenedElicitation>(asking.call('GET', `/v1/elicitations/${request.id}`));

async function begin(name: string, asking: Asking): Promise<History> {
  const draw = drawFrom(seedOf(name));
  for (let count = 0; count < 3; count += 1) draw(); // similar seeds begin with similar numbers
  const ttl = pick(draw, [5 * minute, hour, 12 * hour, 2 * day]);
  const parts = { mode: 'url', schema: undefined, audience: undefined, message: 'Pay.', expects, ttl };
  const request = (await asking.open({ ...parts, requester: { subject: 'client:test' } })) as History['request'];
  const until = now() + ttl + 15 * day;
  const state = { browser: null, until, monies: [], sendings: [], story: [name, `ttl ${ttl}`], faults: [] };
  return { request, asking, draw, ...state };
}

/** The payer opens the page, or comes back to it; where it is not theirs to leave, nothing happens. */
async function goToPay(history: History): Promise<void> {
  const { request, monies, story } = history;
  if ((await statusOf(history)).status !== 'open') return;
  if (!history.browser) await letIn((history.browser = newVisitor()), request.url, request.code);
  else await history.browser.get(request.url);
  const left = await history.browser.send(request.url, { action: 'accept' });
  const session = provider.sessions().find(({ url }) => url === left.headers.get('location'));
  story.push(session ? `goes to ${session.id}` : `finds no way to pay: ${left.status}`);
  if (!session || monies.some(({ id }) => id === session.id)) return;
  monies.push({ id: session.id, isOwn: true, truth: 'open', lies: {}, isDelivered: false });
}

/** What is paid in place of what was agreed. */
const lies: Lies[] = [
  { amount: 9_999 },
  { amount: 10_001 },
  { amount: 1_000_000 },
  { currency: 'usd' },
  { livemode: false },
  { account: 'acct_connected' },
  { amount: 1, currency: 'jpy', account: 'acct_connected' },
];

/** Something happens at the provider, whether anyone hears of it or not. */
function happens({ monies, sendings, draw, story }: History): void {
  const money = monies.find(canChange);
  if (!money) return;
  const { id, truth } = money;
  const next = pick(draw, truth === 'open' ? ['paid', 'paid', 'processing', 'expired'] : ['paid', 'failed']);
  const untruths = next === 'paid' && draw() < 0.5 ? pick(draw, lies) : {};
  story.push(`${next} ${JSON.stringify(untruths)}`);
  Object.assign(money, { truth: next, lies: untruths });
  const event = {
    paid: () => provider.pays(id, untruths),
    processing: () => provider.isProcessing(id),
    failed: () => provider.declines(id),
    expired: () => provider.expires(id),
  }[next as 'paid' | 'processing' | 'failed' | 'expired']();
  sendings.push({ event, money, isPaid: next === 'paid' });
}

/** Someone pays a session that Assentry did not make, under the reference of this one. */
function paysAnother({ monies, sendings, draw, story }: History): void {
  const [own] = monies;
  if (!own) return;
  const reference = provider.session(own.id).client_reference_id;
  const { id } = provider.makes({ reference, ...exact, amount: pick(draw, [10_000, 10_000, 7]) });
  const money: Money = { id, isOwn: false, truth: 'paid', lies: {}, isDelivered: false };
  story.push('another session is paid');
  monies.push(money);
  sendings.push({ event: provider.pays(id), money, isPaid: true });
}

/** The provider sends an event of the past, once, again or twice at once: the last, or an earlier one. */
async function deliver(history: History): Promise<void> {
  const { draw, sendings, story, faults } = history;
  if (sendings.length === 0) return;
  const { event, money, isPaid } = draw() < 0.5 ? (sendings.at(-1) as Sending) : pick(draw, sendings);
  const times = pick(draw, [1, 1, 2]);
  const before = await statusOf(history);
  const copies = Array.from({ length: pick(draw, [1, 1, 2]) }, () => provider.deliver(event, events, { times }));
  const statuses = (await Promise.all(copies)).flat();
  story.push(`hears ${event.type} of ${money.id} while ${before.status}: ${statuses.join()}`);
  if (statuses.some((status) => status !== 200)) faults.push('refused an event');
  if (!isPaid) return;
  money.isDelivered = true;
  if (before.status !== 'open' || !fits(money)) return;
  if ((await statusOf(history)).status !== 'accepted') faults.push('did not accept what was heard in time');
}

async function forge({ sendings, draw, story, faults }: History): Promise<void> {
  if (sendings.length === 0) return;
  const forged = pick(draw, [
    { secret: 'whsec_other' },
    { age: hour },
    { changes: (body: string) => body.replace('evt_', 'evt-') },
  ]);
  const statuses = await provider.deliver(pick(draw, sendings).event, events, forged);
  story.push('hears a wrong signature');
  if (statuses.join() !== '401') faults.push(`took a wrong signature: ${statuses.join()}`);
}

async function cancel({ asking, request, story }: History): Promise<void> {
  story.push('is cancelled');
  const answer = await asking.call('POST', `/v1/elicitations/${request.id}/cancel`, {});
  await answer.body?.cancel();
}

/** Money under no reference of Assentry's, which is no request's. */
async function strays({ faults }: History): Promise<void> {
  const { id } = provider.makes({ reference: null, ...exact });
  if ((await provider.deliver(provider.pays(id), events, { times: 2 })).join() !== '200,200') faults.push('refused it');
  unmatched += 1;
}
let unmatched = 0;

type Act = (history: History) => Promise<void> | void;

/** How often each is drawn. */
const acts: [Act, (history: History) => number][] = [
  [goToPay, ({ monies }) => (monies.length === 0 ? 8 : 1)],
  [happens, ({ monies }) => (monies.some(canChange) ? 5 : 0)],
  [deliver, ({ sendings }) => (sendings.length > 0 ? 4 : 0)],
  [forge, ({ sendings }) => (sendings.length > 0 ? 1 : 0)],
  [paysAnother, ({ monies }) => (monies.length > 0 ? 0.5 : 0)],
  [cancel, () => 0.15],
  [strays, () => 0.3],
  [() => {}, () => 2],
];

function drawAct(history: History): Act {
  let left = history.draw() * acts.reduce((sum, [, weigh]) => sum + weigh(history), 0);
  return acts.find(([, weigh]) => (left -= weigh(history)) < 0)?.[0] ?? goToPay;
}

/** Between the rounds of a batch, time passes for all of its histories. */
const waits = [0, 0, 1000, 61_000, 10 * minute, hour, 5 * hour, day, 3 * day, 16 * day];

async function pass(batch: History[], ms: number): Promise<void> {
  ahead += ms;
  for (const { story } of batch) story.push(`${ms} ms pass`);
  await Promise.all(batch.map(statusOf)); // as timers would, at their time
}

async function look(batch: History[]): Promise<void> {
  for (const { story } of batch) story.push('is looked up');
  await lookAtProviders(server.engine);
}

/** Longest time until the next look. */
const longestWait = 61 * minute;

async function finish(batch: History[]): Promise<void> {
  provider.isDown(false);
  provider.losesAnswers(false);
  const couldBeAsked = batch.map(({ until }) => now() + longestWait < until);
  await pass(batch, longestWait);
  await look(batch);
  await Promise.all(batch.map((history, at) => judge(history, couldBeAsked[at] === true)));
}

async function judge(history: History, couldBeAsked: boolean): Promise<void> {
  const { monies, faults, story, request } = history;
  const { status, content } = await statusOf(history);
  story.push(`ends ${status}`);
  const entries = (await server.engine.reader.history(request.id as never)).map(
    (body) => JSON.parse(Buffer.from(body).toString()) as { type: string; to?: string },
  );
  const count = (...types: string[]) => entries.filter(({ type }) => types.includes(type)).length;
  const payment = monies.find(fits);
  const accepts = entries.filter(({ to }) => to === 'accepted').length;
  if (accepts !== Number(status === 'accepted')) faults.push(`accepted ${accepts} times`);
  if (status === 'accepted' && !payment) faults.push('accepted what does not fit');
  if (status === 'accepted' && content?.['object'] !== payment?.id) faults.push('accepted another session');
  if (status === 'open' && payment) faults.push('left open what is paid');
  const others = monies.filter((money) => money.truth === 'paid' && !(status === 'accepted' && money === payment));
  const least = others.filter(({ isDelivered, isOwn }) => isDelivered || (isOwn && couldBeAsked)).length;
  const listed = count('callback.late', 'callback.unfit');
  if (listed < least) faults.push(`lists ${listed} of ${least} other payments`);
  if (listed > others.length) faults.push(`lists ${listed} for ${others.length} other payments`);
  if (count('elicitation.mismatch') > 1) faults.push('ended as a mismatch twice');
}

const size = 10;
const batches = isNight ? 200 : 6;

test(
  'no history of a payment runs the call for wrong money, twice, or loses money that moved',
  async () => {
    const ends = new Map<string, number>();
    for (let number = 0; number < batches; number += 1) {
      const name = `money ${number}`;
      const asking = askingAt(server.url, await server.newServerKey());
      const batch = await Promise.all(Array.from({ length: size }, (_, at) => begin(`${name}.${at}`, asking)));
      const draw = drawFrom(seedOf(name));
      for (let round = 0; round < 12; round += 1) {
        provider.isDown(draw() < 0.15);
        provider.losesAnswers(draw() < 0.1);
        const acting = batch.map((history) => drawAct(history)(history));
        await Promise.all([...acting, ...(draw() < 0.2 ? [look(batch)] : [])]);
        await pass(batch, pick(draw, waits.slice(0, round < 5 ? 5 : undefined)));
        if (draw() < 0.3) await look(batch);
      }
      await finish(batch);
      expect(batch.filter(({ faults }) => faults.length > 0).map(({ faults, story }) => ({ faults, story }))).toEqual(
        [],
      );
      for (const { story } of batch) ends.set(String(story.at(-1)), (ends.get(String(story.at(-1))) ?? 0) + 1);
    }
    const { rows } = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM audit_entry WHERE type = 'provider.unmatched'`,
    );
    expect(rows).toEqual([{ count: unmatched }]);
    expect([...ends.keys()]).toEqual(expect.arrayContaining(['ends accepted', 'ends cancelled']));
  },
  batches * 60_000,
);
