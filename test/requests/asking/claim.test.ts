import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { readEntry, type StoredEvent } from '#audit/entries/rules/entry';
import { runDigest, type AboutToRun } from '#sdk/client/client';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { lookupHash } from '#platform/crypto/key-ring';
import { runDigest as runDigestOf, runOf, openQuestion, sealRevised } from '#requests/asking/verbs/question';
import { applyPolicies } from '#policies/verbs/apply';
import { canonicalText } from '#platform/model/hashed-text';
import type { ElicitationId } from '#platform/model/id';
import { askingAt, question, type Asking } from '../../support/nodes/asking.ts';
import { runs } from '../../support/runs.ts';
import { startTestServer } from '../../support/nodes/server.ts';

let now = 1_800_000_000_000;
const server = await startTestServer({ now: () => now });
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey('bank'));
const approver = await server.newUser();
await applyPolicies(server.engine, [
  'policy: allowed\nmatch: { tool: allowed }\nallow: { ceiling: medium }',
  `policy: edited
match: { tool: edited }
require: { editable: { amount: { type: number } }, stages: [{ name: One, approvers: anyone }] }`,
]);

type Body = Partial<ProblemDocument> & { state?: string; result?: unknown };

async function read(sent: Promise<Response>): Promise<[number, Body]> {
  const response = await sent;
  const text = await response.text();
  return [response.status, text === '' ? {} : (JSON.parse(text) as Body)];
}

const complete = (toolCall: string, attempt: string, parts: object = { delivered: true }) =>
  read(asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, { attempt, ...parts }));
const claim = (toolCall: string, attempt: string, parts: Parameters<Asking['claim']>[2] = {}) =>
  read(asking.claim(toolCall, attempt, parts));
const vote = async ({ id }: OpenedElicitation, action: 'accept' | 'decline' = 'accept') =>
  expect((await approver.vote(id, action, {})).status).toBe(200);
const eventsOf = async ({ id }: OpenedElicitation): Promise<StoredEvent[]> =>
  (await server.engine.reader.history(id as ElicitationId)).map(readEntry);
const callEvents = async (opened: OpenedElicitation) =>
  (await eventsOf(opened)).map(({ type }) => type).filter((type) => type.startsWith('call.'));

async function approved(parts: Record<string, unknown> = {}): Promise<OpenedElicitation> {
  const opened = await asking.open(parts);
  await vote(opened);
  return opened;
}

const hex = (letter: string): string => letter.repeat(64);
const base = {
  tool: {
    name: 'allowed',
    description: 'Pays.',
    schemaDigest: hex('a'),
    annotations: { title: 'Pay', readOnlyHint: false },
    reaches: 'npx db postgresql://staging.example.com/app',
  },
  arguments: { amount: 50, to: { name: 'Ada', list: [1, 'two', null, true] }, note: '' },
  requester: {
    subject: 'alice',
    verified: true,
    issuer: 'https://id.example',
    client: { name: 'agent', version: '1' },
  },
} satisfies AboutToRun;

const word = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !text.includes('\0'));
const plain = fc.stringMatching(/^[a-z0-9]{1,12}$/);
const leaf = fc.oneof(
  word,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const args = fc.dictionary(
  word,
  fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(word, leaf, { maxKeys: 3 })),
  { maxKeys: 4 },
);
const hint = fc.constantFrom('readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint');

/** What differs from `base` in one field, and in no other. */
const oneFieldApart: fc.Arbitrary<AboutToRun> = fc.oneof(
  args.map((other) => ({ ...base, arguments: other })),
  fc
    .record({ key: word, value: leaf })
    .map(({ key, value }) => ({ ...base, arguments: { ...base.arguments, [key]: value } })),
  leaf.map((other) => ({
    ...base,
    arguments: { ...base.arguments, to: { ...base.arguments.to, list: [1, 'two', other, true] } },
  })),
  fc.constantFrom('amount', 'to', 'note').map((gone) => ({
    ...base,
    arguments: Object.fromEntries(Object.entries(base.arguments).filter(([name]) => name !== gone)),
  })),
  plain.map((name) => ({ ...base, tool: { ...base.tool, name } })),
  fc.stringMatching(/^[0-9a-f]{64}$/).map((schemaDigest) => ({ ...base, tool: { ...base.tool, schemaDigest } })),
  fc.tuple(hint, fc.boolean()).map(([name, value]) => ({
    ...base,
    tool: { ...base.tool, annotations: { ...base.tool.annotations, [name]: value } },
  })),
  word.map((title) => ({ ...base, tool: { ...base.tool, title } })),
  word.map((place) => ({ ...base, tool: { ...base.tool, reaches: `npx db ${place}` } })),
  word.map((description) => ({ ...base, tool: { ...base.tool, description } })),
  word.map((title) => ({ ...base, tool: { ...base.tool, annotations: { ...base.tool.annotations, title } } })),
  plain.map((subject) => ({ ...base, requester: { ...base.requester, subject } })),
  plain.map((host) => ({ ...base, requester: { ...base.requester, issuer: `https://${host}.example` } })),
  word.map((name) => ({ ...base, requester: { ...base.requester, client: { ...base.requester.client, name } } })),
  word.map((version) => ({ ...base, requester: { ...base.requester, client: { name: 'agent', version } } })),
  fc.constantFrom<AboutToRun>(
    { ...base, tool: { ...base.tool, annotations: undefined } },
    { ...base, tool: { ...base.tool, description: undefined } },
    { ...base, tool: { ...base.tool, reaches: undefined } },
    { ...base, tool: { ...base.tool, schemaDigest: undefined } },
    { ...base, requester: { ...base.requester, verified: false } },
    { ...base, requester: { subject: 'alice', verified: true, issuer: 'https://id.example' } },
    { ...base, requester: { subject: 'alice', verified: true, client: base.requester.client } },
  ),
);

/** The policy allows it. */
const isLow = ({ tool }: AboutToRun): boolean => tool.name === 'allowed' && tool.annotations?.destructiveHint !== true;

/** The door takes no number that a double may not hold exactly. */
const isKept = (run: AboutToRun): boolean => !/\d{16}|\de[+-]?\d/i.test(plainText(run.arguments));

/** Says the same without the library: keys in order, one line. */
const plainText = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(plainText).join()}]`
    : typeof value === 'object' && value !== null
      ? `{${Object.entries(value)
          .filter(([, member]) => member !== undefined)
          .sort(([name], [other]) => (name < other ? -1 : 1))
          .map(([name, member]) => `${JSON.stringify(name)}:${plainText(member)}`)
          .join()}}`
      : JSON.stringify(value);

describe('an execution that was not used', () => {
  const release = (toolCall: string, attempt: string) =>
    read(asking.call('POST', `/v1/tool-calls/${toolCall}/release`, { attempt }));

  test('is given back by the attempt that holds it: another can claim it, and that attempt never again', async () => {
    const opened = await approved();
    await claim(opened.toolCall, 'left');
    expect((await claim(opened.toolCall, 'next'))[1].state).toBe('running');
    expect((await release(opened.toolCall, 'left'))[0]).toBe(204);
    expect((await claim(opened.toolCall, 'left'))[1].code).toBe('not-claimed');
    expect((await complete(opened.toolCall, 'left'))[1].code).toBe('not-claimed');
    expect(await claim(opened.toolCall, 'next')).toEqual([200, { state: 'claimed' }]);
    expect(await callEvents(opened)).toEqual(['call.claimed', 'call.released', 'call.claimed']);
  });

  test('is not held by a claim that arrives after it was given back', async () => {
    const opened = await approved();
    await release(opened.toolCall, 'late');
    expect((await claim(opened.toolCall, 'late'))[1].code).toBe('not-claimed');
    expect((await claim(opened.toolCall, 'next'))[1].state).toBe('claimed');
  });

  test('is given back once: a copy that arrives late takes nothing from the next attempt', async () => {
    const opened = await approved();
    await claim(opened.toolCall, 'left');
    await release(opened.toolCall, 'left');
    await claim(opened.toolCall, 'next');
    await release(opened.toolCall, 'left');
    expect((await claim(opened.toolCall, 'third'))[1].state).toBe('running');
    expect((await complete(opened.toolCall, 'next'))[0]).toBe(204);
  });

  test('is not made of one that is open, refused or over', async () => {
    const waiting = await asking.open();
    const declined = await asking.open();
    await vote(declined, 'decline');
    const over = await approved();
    await claim(over.toolCall, 'a');
    await complete(over.toolCall, 'a', { delivered: false, result: 'done' });
    for (const opened of [waiting, declined, over]) expect((await release(opened.toolCall, 'a'))[0]).toBe(204);
    expect((await claim(waiting.toolCall, 'b'))[1].code).toBe('not-now');
    expect((await claim(declined.toolCall, 'b'))[1].code).toBe('already-closed');
    expect(await claim(over.toolCall, 'b')).toEqual([200, { state: 'completed', result: 'done' }]);
    expect(await callEvents(waiting)).toEqual([]);
  });
});

describe('AI-01 the claim compares what is about to run with what was approved', () => {
  test('500 runs that differ in one field are never claimed, and one that is equal always is', async () => {
    let tried = 0;
    const others = fc
      .sample(oneFieldApart, { numRuns: runs(560), seed: 1 })
      .filter((other) => plainText(other) !== plainText(base));
    for (const other of others) {
      const opened = await asking.open({ ...base, call: randomUUID() });
      expect(opened.status).toBe('accepted');
      const [status, { code }] = await claim(opened.toolCall, 'a', other);
      expect([plainText(other), status, code]).toEqual([plainText(other), 412, 'digest-mismatch']);
      tried += 1;
    }
    expect(tried).toBeGreaterThanOrEqual(runs(500));
    for (const same of fc
      .sample(oneFieldApart, { numRuns: Math.max(10, runs(60)), seed: 2 })
      .filter((run) => isLow(run) && isKept(run))) {
      const { status, toolCall } = await asking.open({ ...same, call: randomUUID() });
      const [, claimed] = await claim(toolCall, 'a', same);
      expect([plainText(same), status, claimed]).toEqual([plainText(same), 'accepted', { state: 'claimed' }]);
    }
    const equal = await asking.open({ ...base, call: randomUUID() });
    const reordered = JSON.parse(`{"note":"","to":{"list":[1,"two",null,true],"name":"Ada"},"amount":5e1}`) as object;
    expect(await claim(equal.toolCall, 'a', { ...base, arguments: { ...reordered } })).toEqual([
      200,
      { state: 'claimed' },
    ]);
  });

  test('a text that is not a run digest is refused as well', async () => {
    const { toolCall } = await asking.open({ ...base, call: randomUUID() });
    const bring = (run: unknown) =>
      read(asking.call('POST', `/v1/tool-calls/${toolCall}/claim`, { attempt: 'a', run }));
    for (const run of [undefined, null, '', hex('A'), 'a'.repeat(63), 7]) {
      expect((await bring(run))[1].code).toBe('INVALID_INPUT');
    }
    expect((await bring(hex('0')))[1].code).toBe('digest-mismatch');
  });

  test('a mismatch is logged and voids the approval; the same call then opens a new request', async () => {
    const call = randomUUID();
    const opened = await approved({ call });
    const other = { arguments: { amount: 5000 } };
    expect((await claim(opened.toolCall, 'a', other))[0]).toBe(412);
    expect((await claim(opened.toolCall, 'a', other))[0]).toBe(412); // a repeated request hears the same
    expect((await claim(opened.toolCall, 'a'))[1].code).toBe('already-executed');
    expect((await eventsOf(opened)).at(-1)).toMatchObject({
      type: 'call.mismatched',
      attempt: 'a',
      run: await runDigest({ ...question, ...other }),
    });
    expect(await callEvents(opened)).toEqual(['call.mismatched']);
    const again = await asking.open({ call });
    expect([again.joined, again.status]).toEqual([false, 'open']);
  });

  test('a mismatch does not disturb the attempt that runs what was approved', async () => {
    const opened = await approved();
    await claim(opened.toolCall, 'mine');
    expect((await claim(opened.toolCall, 'other', { arguments: { amount: 5000 } }))[0]).toBe(412);
    expect(await claim(opened.toolCall, 'mine')).toEqual([200, { state: 'claimed' }]);
    expect((await complete(opened.toolCall, 'mine'))[0]).toBe(204);
  });

  test('what approvers edited is what may run, and nothing else', async () => {
    const parts = { tool: { name: 'edited' }, arguments: { amount: 5000 } };
    const edited = async () => {
      const opened = await asking.open(parts);
      const edit = { digest: opened.digest, arguments: { amount: 50 } };
      expect((await approver.call('POST', `/api/elicitations/${opened.id}/edit`, edit)).status).toBe(200);
      await vote(opened);
      return opened.toolCall;
    };
    expect((await claim(await edited(), 'a', parts))[1].code).toBe('digest-mismatch');
    expect(await claim(await edited(), 'a', { ...parts, arguments: { amount: 50 } })).toEqual([
      200,
      { state: 'claimed' },
    ]);
  });

  test('no one can edit a request if its caller did not say that it accepts edits', async () => {
    const opened = await asking.open({ tool: { name: 'edited' }, takesEdits: undefined });
    const edit = { digest: opened.digest, arguments: { amount: 50 } };
    const [status, body] = await read(approver.call('POST', `/api/elicitations/${opened.id}/edit`, edit));
    expect([status, body.code]).toEqual([403, 'forbidden']);
    const { editable, can } = await approver.show(opened.id);
    expect([editable, can.edit.allowed]).toEqual([null, false]);
  });
});

describe('a call’s name finds the call but does not make different calls equal', () => {
  test.each<[string, Partial<AboutToRun>]>([
    ['schema', { tool: { ...base.tool, schemaDigest: hex('b') } }],
    ['title', { tool: { ...base.tool, title: 'Pay at once' } }],
    ['description', { tool: { ...base.tool, description: 'Pays, and closes the account.' } }],
    ['hint', { tool: { ...base.tool, annotations: { ...base.tool.annotations, destructiveHint: true } } }],
    ['argument', { arguments: { ...base.arguments, amount: 51 } }],
    ['proof of who asks', { requester: { ...base.requester, verified: false } }],
    ['agent', { requester: { ...base.requester, client: { name: 'another' } } }],
  ])('under the same name with another %s is refused', async (_field, other) => {
    const call = randomUUID();
    const named = { ...question, ...base, tool: { ...base.tool, name: 'named' }, call };
    const first = await asking.open(named);
    const changed = { ...named, ...other, ...(other.tool && { tool: { ...other.tool, name: 'named' } }) };
    const [status, body] = await read(asking.call('POST', '/v1/elicitations', changed));
    expect([status, body.code]).toEqual([409, 'idempotency-mismatch']);
    expect(await asking.open(named)).toMatchObject({ id: first.id, joined: true });
    // And a later step of the call that is about something else releases neither.
    const step = await asking.open({ ...changed, step: 'later' });
    await vote(first);
    await vote(step);
    for (const run of [named, changed]) expect((await claim(first.toolCall, 'a', run))[1].code).toBeDefined();
    expect(await callEvents(first)).not.toContain('call.claimed');
  });

  test('finds a request from before title and description were part of the run, and its approval runs', async () => {
    const { engine } = server;
    const { open } = engine.transactor;
    const described = { ...question, tool: { name: 'described', title: 'Pay', description: 'Pays.' } };
    engine.transactor.open = (opening) => {
      const { elicitation } = opening;
      const { isDescribedInRun: _since, ...tool } = openQuestion(engine.ring, elicitation).tool;
      const older = { ...openQuestion(engine.ring, elicitation), tool };
      const run = runDigestOf(runOf(elicitation.tool, older));
      const { message, schema } = older;
      const content = canonicalText({ run, message, mode: 'form', schema, url: null, completedBy: null });
      return open({
        ...opening,
        elicitation: {
          ...elicitation,
          payload: sealRevised(engine.ring, elicitation, older),
          requestHash: lookupHash(engine.ring, 'idempotency', content),
        },
      });
    };
    const [first, second] = await Promise.all(
      ['older-1', 'older-2'].map((call) => asking.open({ ...described, call })),
    ).finally(() => (engine.transactor.open = open));
    expect(await asking.open({ ...described, call: 'older-1' })).toMatchObject({ id: first?.id, joined: true });
    const changed = { ...described, tool: { ...described.tool, description: 'Pays everything.' }, call: 'older-1' };
    const [status, body] = await read(asking.call('POST', '/v1/elicitations', changed));
    expect([status, body.code]).toEqual([409, 'idempotency-mismatch']);
    for (const opened of [first, second]) await vote(opened!);
    expect((await claim(first!.toolCall, 'a', described))[1].state).toBe('claimed');
    expect((await claim(second!.toolCall, 'a', { tool: { name: 'described' } }))[1].state).toBe('claimed'); // as then
  });

  test('of a requester of another issuer is the name of another call', async () => {
    const named = { ...question, ...base, tool: { ...base.tool, name: 'named' }, call: randomUUID() };
    const first = await asking.open(named);
    const other = { ...named, requester: { ...base.requester, issuer: 'https://other.example' } };
    expect((await asking.open(other)).toolCall).not.toBe(first.toolCall);
    await vote(first);
    expect((await claim(first.toolCall, 'a', other))[1].code).toBe('digest-mismatch');
  });

  test('without a name it is a question of its own', async () => {
    const unnamed = { tool: { name: 'unnamed' }, call: undefined };
    const first = await asking.open(unnamed);
    expect((await asking.open(unnamed)).id).toBe(first.id);
    const others = [
      { requester: { subject: 'alice', verified: true } },
      { requester: { subject: 'alice', issuer: 'https://id.example' } },
      { requester: { subject: 'alice', client: { name: 'agent' } } },
      { tool: { name: 'unnamed', schemaDigest: hex('a') } },
      { takesEdits: false },
    ];
    for (const other of others) expect((await asking.open({ ...unnamed, ...other })).id).not.toBe(first.id);
  });
});

describe('only the attempt that holds a claim ends it', () => {
  test('no one ends what was never claimed, and no one says that it ran', async () => {
    const opened = await asking.open();
    expect(await complete(opened.toolCall, 'x')).toMatchObject([409, { code: 'not-claimed' }]);
    await vote(opened);
    expect(await complete(opened.toolCall, 'x')).toMatchObject([409, { code: 'not-claimed' }]);
    expect(await claim(opened.toolCall, 'mine')).toEqual([200, { state: 'claimed' }]);
  });

  test('a result that another attempt forges is refused, and the real one stays', async () => {
    const { toolCall } = await approved();
    await claim(toolCall, 'mine');
    const forged = { delivered: true, result: { text: 'forged' } };
    for (const parts of [forged, { ...forged, delivered: false }])
      expect(await complete(toolCall, 'x', parts)).toMatchObject([409, { code: 'not-claimed' }]);
    expect((await complete(toolCall, 'mine', { delivered: false, result: { text: 'real' } }))[0]).toBe(204);
    expect((await complete(toolCall, 'x', { ...forged, delivered: false }))[0]).toBe(409);
    expect(await claim(toolCall, 'retry')).toEqual([200, { state: 'completed', result: { text: 'real' } }]);
    expect((await complete(toolCall, 'retry', forged))[0]).toBe(204); // it was heard, and what was heard is kept
    const shown = await (await asking.call('GET', `/v1/tool-calls/${toolCall}`)).json();
    expect(shown).toMatchObject({ state: 'settled', result: { text: 'real' } });
    expect((await complete(toolCall, 'x', forged))[0]).toBe(409);
    expect((await complete(toolCall, 'retry', forged))[0]).toBe(204); // the same once more
  });

  test('a declined call ends without a claim, since none can be taken', async () => {
    const call = randomUUID();
    const opened = await asking.open({ call });
    await vote(opened, 'decline');
    expect((await complete(opened.toolCall, 'x'))[0]).toBe(204);
    expect((await asking.open({ call })).joined).toBe(false);
  });

  test('a claim whose attempt is silent for too long ends with an unknown outcome', async () => {
    const opened = await approved();
    await claim(opened.toolCall, 'died');
    now += 60_000;
    expect(await claim(opened.toolCall, 'next')).toMatchObject([200, { state: 'running' }]);
    expect(await claim(opened.toolCall, 'next', { leaseMs: 61_000 })).toMatchObject([200, { state: 'running' }]);
    expect(await claim(opened.toolCall, 'next', { leaseMs: 59_000 })).toMatchObject([409, { code: 'outcome-unknown' }]);
    expect(await complete(opened.toolCall, 'died')).toMatchObject([409, { code: 'not-claimed' }]);
    expect(await callEvents(opened)).toEqual(['call.claimed', 'call.settled']);
  });
});

describe('a refused claim says why', () => {
  const readOutcome = async (toolCall: string) => {
    const [status, { code, detail }] = await claim(toolCall, 'a');
    return [status, code, detail];
  };

  test('declined, withdrawn or not answered in time', async () => {
    const declined = await asking.open();
    await vote(declined, 'decline');
    const says = (how: string) => [409, 'already-closed', `Ask again: this request was ${how}, so nothing may run.`];
    expect(await readOutcome(declined.toolCall)).toEqual(says('declined'));
    const cancelled = await asking.open();
    await asking.call('POST', `/v1/elicitations/${cancelled.id}/cancel`, {});
    expect(await readOutcome(cancelled.toolCall)).toEqual(says('withdrawn'));
    const late = await asking.open({ ttl: 1000 });
    now += 2000;
    expect(await readOutcome(late.toolCall)).toEqual(says('not answered in time and has expired'));
    expect(await readOutcome((await asking.open()).toolCall)).toEqual([409, 'not-now', undefined]);
  });

  test('a question to the requester that they declined releases nothing either', async () => {
    const { id, toolCall } = await asking.open({ audience: 'requester' });
    await asking.call('POST', `/v1/elicitations/${id}/answer`, { action: 'decline' });
    expect((await readOutcome(toolCall))[1]).toBe('already-closed');
  });
});

test('a call is claimed for an hour after its last answer, however old the others are', async () => {
  const hour = 3_600_000;
  const parts = { call: randomUUID(), audience: 'requester', supersede: 'none', ttl: 3 * hour };
  const steps = [await asking.open(parts), await asking.open({ ...parts, step: 'next' })];
  for (const { id } of steps) {
    now += hour - 1;
    await asking.call('POST', `/v1/elicitations/${id}/answer`, { action: 'accept', content: {} });
  }
  const { toolCall } = steps[0]!;
  now += hour - 1;
  expect(await claim(toolCall, 'in time')).toEqual([200, { state: 'claimed' }]);
});

test('an approval that no one claims within an hour lapses', async () => {
  const { id, toolCall } = await asking.open({ audience: 'requester' });
  await asking.call('POST', `/v1/elicitations/${id}/answer`, { action: 'accept', content: {} });
  now += 3_600_001;
  expect(await claim(toolCall, 'late')).toMatchObject([409, { code: 'already-executed' }]);
});
