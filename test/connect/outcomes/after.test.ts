import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { checkSteps, openReceipt } from '#audit/receipts/rules';
import { entryIn } from '#audit/entries/rules/entry';
import { logSigners } from '#audit/tree/rules/checkpoint';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { AlwaysChoices } from '#policies/contract/documents';
import { chatWords } from '#messages/chat-words';
import { votingInChat } from '#notify/chat/verbs/show';
import type { AssentryTools } from '#sdk/mcp/assentry';
import { codeIn, createAgents, withUrl, type House } from '../agents.ts';
import { startMcpServer } from '../../sdk/mcp/peers.ts';
import { json } from '../../support/json.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { leaveBy, newVisitor } from '../../support/nodes/visitor.ts';
import { until } from '../../support/poll.ts';
import { publish } from '../../support/requests/policies.ts';
import { startFakePayments } from '../../support/connect/fake-payments.ts';

const [provider, elsewhere] = [
  await startFakePayments({ now: Date.now }),
  await startFakePayments({ key: 'other-payments', now: Date.now }),
];
const providers = { 'fake-payments': provider, 'other-payments': elsewhere };
const server = await startTestServer({
  outcomeProviders: Object.values(providers).map(({ settings }) => settings({ servers: ['payments'] })),
});
const key = await server.newServerKey();
const asking = askingAt(server.url, key);
const approver = await server.newUser();
afterAll(async () => {
  await server.stop();
  for (const each of [provider, elsewhere]) await each.close();
});

const requester = { subject: 'client:test' };
const expects = { kind: 'payment', provider: 'fake-payments', amount: '100.00', currency: 'EUR', for: 'Order 1042' };

type Asked = OpenedElicitation & { url: string; code: string };

/** Asks for a payment as a step of this call. */
const askPayment = (call: string, step = 'pay', parts: Partial<typeof expects> = {}) =>
  asking.open({
    call,
    step,
    requester,
    expects: { ...expects, ...parts },
    mode: 'url',
    message: 'Pay.',
    supersede: 'none',
    schema: undefined,
    audience: undefined,
  }) as Promise<Asked>;

/** The same, paid at the provider. */
async function pay(
  call: string,
  step?: string,
  parts: Partial<typeof expects & { payee: string }> = {},
): Promise<Asked> {
  const request = await askPayment(call, step, parts);
  const address = await leaveBy(newVisitor(), request.url, request.code);
  const key = (parts.provider ?? expects.provider) as keyof typeof providers;
  const session = providers[key].sessions().find(({ url }) => url === address);
  const paid = providers[key].pays(session?.id ?? '');
  expect(await providers[key].deliver(paid, `${server.url}/providers/${key}/events`)).toEqual([200]);
  return request;
}

const release = {
  tool: { name: 'transfer_funds' },
  arguments: { amount: 100 },
  audience: 'approvers',
  takesEdits: true,
  step: 'release',
  requester,
  message: 'Release the order?',
  schema: { type: 'object', properties: {} },
};

const askRelease = (call: string, after: string[]) =>
  asking.call('POST', '/v1/elicitations', {
    ...release,
    call,
    after,
  });

const receiptOf = (id: string) =>
  until(async () => {
    const answer = await asking.call('GET', `/v1/elicitations/${id}/receipt`);
    return answer.ok ? answer.text() : null;
  });

async function openIt(receipt: string) {
  const origin = await server.engine.merkleLog.origin();
  const opened = openReceipt(receipt, logSigners(server.engine.ring, origin));
  const entry = opened && entryIn(opened.entry);
  return opened && entry && checkSteps(receipt, entry, opened.checkpoint);
}

/** The line of a receipt that holds the earlier steps, as JSON. */
const inLine = (receipt: string, change: (kept: { opened: object; steps: object[] }) => object): string =>
  receipt.replace(/^earlier-steps@v1 (.*)$/m, (_all, line: string) => {
    const kept = JSON.parse(Buffer.from(line, 'base64').toString()) as { opened: object; steps: object[] };
    return `earlier-steps@v1 ${Buffer.from(JSON.stringify(change(kept))).toString('base64')}`;
  });

test('what was paid before is on the page and in chat, bound to the decision, and in one receipt with it', async () => {
  const call = randomUUID();
  const paid = await pay(call);
  const request = await json<OpenedElicitation>(askRelease(call, [paid.id]));
  expect(request.toolCall).toBe(paid.toolCall);
  const { proven } = await approver.show(request.id);
  const object = provider.sessions().at(-1)?.id;
  const confirmed = {
    kind: 'payment',
    provider: 'fake-payments',
    amount: '100.00',
    currency: 'EUR',
    for: 'Order 1042',
  };
  expect(proven).toEqual([
    expect.objectContaining({ ...confirmed, object, elicitation: paid.id, digest: paid.digest }),
  ]);
  const row = await server.engine.reader.elicitation(request.id as never);
  const { content } = votingInChat(server.engine, row!, chatWords.en);
  const text = `100.00 EUR · “Order 1042” · ${object}`;
  expect(content).toContainEqual({ label: '✓ fake-payments confirms the payment', text });
  expect((await approver.vote(request.id, 'accept')).status).toBe(200);
  const receipt = await receiptOf(request.id);
  expect(await openIt(receipt)).toEqual({
    steps: [expect.objectContaining({ elicitation: paid.id, provider: 'fake-payments', digest: paid.digest })],
    fault: null,
  });
  expect((await asking.claim(request.toolCall, 'attempt', { requester })).status).toBe(200);
});

test('a repetition joins, and the same step after something else is another question', async () => {
  const call = randomUUID();
  const [first, second] = [await pay(call), await pay(call, 'pay-again')];
  const request = await json<OpenedElicitation>(askRelease(call, [first.id]));
  expect(await json<OpenedElicitation>(askRelease(call, [first.id]))).toMatchObject({ id: request.id, joined: true });
  for (const after of [[first.id, second.id], [second.id]])
    expect(await (await askRelease(call, after)).json()).toMatchObject({ code: 'idempotency-mismatch' });
});

describe('refuses, at its place, what no provider has confirmed in this call:', () => {
  const refused = async (call: string, after: string[]) => {
    const answer = await askRelease(call, after);
    const { code, errors } = (await answer.json()) as { code: string; errors: { path: unknown[] }[] };
    expect([answer.status, code]).toEqual([400, 'INVALID_INPUT']);
    return errors.map(({ path }) => path);
  };

  test('a payment that is open, and one that was withdrawn', async () => {
    const call = randomUUID();
    const open = await askPayment(call);
    expect(await refused(call, [open.id])).toEqual([['after', 0]]);
    await asking.call('POST', `/v1/elicitations/${open.id}/cancel`, {});
    expect(await refused(call, [open.id])).toEqual([['after', 0]]);
  });

  test('one of another call, and one of a call without a name', async () => {
    const [call, other] = [randomUUID(), randomUUID()];
    const [own, foreign] = [await pay(call), await pay(other)];
    expect(await refused(call, [own.id, foreign.id])).toEqual([['after', 1]]);
    expect(await refused(randomUUID(), [own.id])).toEqual([['after', 0]]);
  });

  test('one that is named twice', async () => {
    const call = randomUUID();
    const own = await pay(call);
    expect(await refused(call, [own.id, own.id])).toEqual([['after']]);
  });

  test('an answer of a person', async () => {
    const call = randomUUID();
    const question = await asking.open({ call, step: 'first', requester });
    expect((await approver.vote(question.id, 'accept', { confirmed: true })).status).toBe(200);
    expect(await refused(call, [question.id])).toEqual([['after', 0]]);
  });
});

test('what was approved after a payment is allowed again only after another one, and by no rule', async () => {
  await publish(
    server,
    'policy: again\nmatch: { tool: again }\nrequire:\n  stages: [{ name: One, approvers: anyone }]\n  grant: { longest: 8h }',
  );
  const admin = await server.newUser('admin');
  const tool = { name: 'again', annotations: { readOnlyHint: true } };
  const ask = (call: string, after?: string[]) =>
    json<OpenedElicitation>(
      asking.call('POST', '/v1/elicitations', { ...release, tool, call, ...(after && { after }) }),
    );
  const paidFor = async (parts: Parameters<typeof pay>[2] = {}) => {
    const call = randomUUID();
    return ask(call, [(await pay(call, 'pay', parts)).id]);
  };
  const choices = async ({ id }: OpenedElicitation) =>
    (await json<AlwaysChoices>(admin.call('GET', `/api/elicitations/${id}/always`))).choices;
  const { id, digest } = await paidFor();
  const vote = { action: 'accept', digest, allowFor: 3_600_000 };
  expect((await approver.call('POST', `/api/elicitations/${id}/vote`, vote)).status).toBe(200);
  const [unpaid, paid] = [await ask(randomUUID()), await paidFor()];
  expect([unpaid.status, paid.status]).toEqual(['open', 'accepted']);
  const others = [
    { amount: '99.99' },
    { currency: 'USD' },
    { provider: 'other-payments' },
    { payee: 'acct_connected' },
  ];
  for (const parts of others) expect([parts, (await paidFor(parts)).status]).toEqual([parts, 'open']);
  expect((await paidFor({ amount: '100.01', for: 'Order 1043' })).status).toBe('accepted');
  expect([(await choices(unpaid)).length > 0, await choices(paid)]).toEqual([true, []]);
});

test('`approve` after `payment` in one handler asks with what was paid', async () => {
  const principal = () => ({ subject: randomUUID(), issuer: 'https://id.example.com', verified: true });
  const register = (tools: AssentryTools) =>
    tools.registerTool('order', {}, async ({ payment, approve }) => {
      const paid = await payment('fake-payments', { amount: '100.00', currency: 'EUR', for: 'Order 7' });
      const isReleased = await approve('Release it?', [], { after: [paid] });
      return { content: [{ type: 'text', text: `${paid.proof} ${isReleased}` }] };
    });
  const peer = await startMcpServer(register, { url: server.url, apiKey: key, principal });
  const { connectFirst, close } = createAgents(() => ({ name: 'order', arguments: {} }));
  const house = { first: peer } as House;
  const agent = await connectFirst(withUrl)(house, ({ url, message }) => void goAndRelease(url, codeIn(message)));
  const { content } = await agent.callTool();
  expect(content).toEqual([{ type: 'text', text: expect.stringMatching(/^eli_\S+ true$/) }]);
  await close();
  await peer.stop();

  async function goAndRelease(url: string, code: string): Promise<void> {
    const address = await leaveBy(newVisitor(), url, code);
    const session = provider.sessions().find((other) => other.url === address);
    await provider.deliver(provider.pays(session?.id ?? ''), `${server.url}/providers/fake-payments/events`);
    const { id } = await until(async () => {
      const { items } = await json<{ items: { id: string; message: string }[] }>(
        approver.call('GET', '/api/elicitations'),
      );
      return items.find(({ message }) => message === 'Release it?') ?? null;
    });
    expect((await approver.show(id)).proven).toMatchObject([{ for: 'Order 7' }]);
    await approver.vote(id, 'accept');
  }
});

describe('a receipt is not taken', () => {
  test('with other steps than the request was opened with', async () => {
    const call = randomUUID();
    const [first, second] = [await pay(call), await pay(call, 'pay-again')];
    const ask = async (step: string, after: string[]) => {
      const answer = await asking.call('POST', '/v1/elicitations', {
        ...release,
        step,
        call,
        after,
      });
      const { id } = (await answer.json()) as OpenedElicitation;
      expect((await approver.vote(id, 'accept')).status).toBe(200);
      return receiptOf(id);
    };
    const both = await ask('both', [first.id, second.id]);
    const other = await ask('other', [second.id]);
    expect((await openIt(both))?.fault).toBeNull();
    const ofOther = JSON.parse(Buffer.from(/^earlier-steps@v1 (.*)$/m.exec(other)?.[1] ?? '', 'base64').toString());
    const faults = [
      inLine(both, ({ opened, steps }) => ({ opened, steps: steps.slice(1) })),
      inLine(both, ({ opened, steps }) => ({ opened, steps: steps.toReversed() })),
      inLine(both, ({ opened, steps }) => ({ opened, steps: [...steps, ...steps] })),
      inLine(both, ({ opened, steps }) => ({ opened, steps: [opened, ...steps.slice(1)] })),
      inLine(both, () => ofOther as object),
      inLine(both, ({ steps }) => ({ opened: steps[0], steps })),
      inLine(both, () => ({ opened: 1 })),
    ];
    for (const text of faults) expect((await openIt(text))?.fault).toEqual(expect.any(String));
  });
});
