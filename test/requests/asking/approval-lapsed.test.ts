import { afterAll, describe, expect, test } from '@jest/globals';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { claimToolCall } from '#requests/claims/verbs/claim';
import { wholeServer } from '#people/directory/verbs/scope';
import { breakGlassElicitation } from '#requests/deliberation/verbs/emergency';
import type { Engine } from '#platform/nodes/verbs/engine';
import { changeMembers } from '#people/groups/verbs';
import { runDigest } from '#sdk/client/digest';
import type { ElicitationId, GroupId, ServerId, ToolCallId } from '#platform/model/id';
import { question } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { newGroup, publish, setUser } from '../../support/requests/policies.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const boss = await openBrowser(two.nodes[0], 'admin');
await openBrowser(two.nodes[0], 'admin');
await newGroup(two.nodes[0], 'finance', [boss]);
const group = (await two.nodes[0].engine.directory.read()).groups[0]?.id as GroupId;
await publish(
  two.nodes[0],
  'policy: pay\nmatch: { tool: pay }\nrequire: { stages: [{ name: One, approvers: { group: finance } }] }',
  'policy: rule\nmatch: { tool: rule }\nrequire: { stages: [{ name: One, approvers: { role: admin } }] }',
  'policy: two\nmatch: { tool: two }\nrequire: { stages: [{ name: One, approve: 2, approvers: anyone }] }',
  'policy: again\nmatch: { tool: again }\nrequire:\n  stages: [{ name: One, approvers: anyone }]\n  grant: { longest: 8h }',
);

const approver = () => openBrowser(two.nodes[0]);
const members = (change: { add?: Browser[]; remove?: Browser[] }) =>
  changeMembers(two.nodes[1].engine, 'operator', group, {
    add: (change.add ?? []).map(({ user }) => user.id),
    remove: (change.remove ?? []).map(({ user }) => user.id),
  });
const ask = (tool: string, parts = {}) => two.asking.open({ tool: { name: tool }, ...parts });
/** Claims at the other node, in one word. */
async function claim({ toolCall }: OpenedElicitation, tool: string, parts = {}): Promise<string> {
  const elsewhere = two.asking.at(two.nodes[1].url);
  const answer = await elsewhere.claim(toolCall, 'attempt', { tool: { name: tool }, ...parts });
  const body = await json<{ state?: string; code?: string }>(answer);
  return body.code ?? body.state ?? '';
}
const lapsesOf = async ({ id }: OpenedElicitation) =>
  (await entriesOf(two, id)).filter(({ type }) => type === 'call.lapsed');

describe('S4 an approval', () => {
  test.each<[string, (who: Browser) => Promise<unknown>]>([
    ['is disabled', (who) => setUser(two.nodes[0], who, { disabled: true })],
    ['is a reviewer', (who) => setUser(two.nodes[0], who, { role: 'reviewer' })],
    ['is known as who asked', (who) => setUser(two.nodes[0], who, { subjects: ['alice'] })],
    ['has left the group', (who) => members({ remove: [who] })],
  ])('lapses when its approver %s: the log says so, and the next call opens a new request', async (_name, change) => {
    const ada = await approver();
    await members({ add: [ada] });
    const call = `call of ${ada.user.id}`;
    const request = await ask('pay', { call });
    expect((await ada.vote(request)).status).toBe(200);
    await change(ada);
    expect(await claim(request, 'pay')).toBe('approval-lapsed');
    expect(await claim(request, 'pay')).toBe('approval-lapsed');
    expect(await lapsesOf(request)).toMatchObject([
      { user: ada.user.id, actor: { kind: 'server' }, attempt: 'attempt' },
    ]);
    const { lapse, timeline } = await boss.look(request.id);
    expect(lapse).toBe('lapsed');
    expect(timeline.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'call.lapsed', user: { name: ada.user.name } }),
    );
    const next = await ask('pay', { call });
    expect([next.status, next.id === request.id]).toEqual(['open', false]);
    await setUser(two.nodes[0], ada, { subjects: [] });
    expect(await claim(request, 'pay')).toBe('approval-lapsed');
  });

  test('lapses when the administrator it needed is no longer one', async () => {
    const ada = await openBrowser(two.nodes[0], 'admin');
    const request = await ask('rule');
    await ada.vote(request);
    await setUser(two.nodes[1], ada, { role: 'approver' });
    expect(await claim(request, 'rule')).toBe('approval-lapsed');
  });

  test('lapses when a policy denies it, but not when the policy denies other calls', async () => {
    const [ada, bob] = [await approver(), await approver()];
    const [first, other] = [await ask('two', { requester: { subject: 'mallory' } }), await ask('two')];
    for (const request of [first, other]) for (const who of [ada, bob]) await who.vote(request);
    const when = `when: requester.subject == "mallory"`;
    await publish(two.nodes[1], `policy: stop\nmatch: { tool: two }\n${when}\ndeny: { reason: Not for them. }`);
    expect(await claim(first, 'two', { requester: { subject: 'mallory' } })).toBe('approval-lapsed');
    expect(await lapsesOf(first)).toMatchObject([{ policy: 'two@1', deniedBy: 'stop@1' }]);
    expect(await claim(other, 'two')).toBe('claimed');
  });

  test('lapses if the person who overrode the policy has lost that permission', async () => {
    const ada = await approver();
    await setUser(two.nodes[0], ada, { mayBreakGlass: true });
    const requests = [await ask('rule'), await ask('rule')];
    const proven = {
      ...ada.user,
      authentication: { method: 'password', assurance: 'single-factor', at: Date.now(), by: null } as const,
    };
    for (const { id, digest } of requests)
      await breakGlassElicitation(two.nodes[0].engine, proven as never, id as ElicitationId, {
        digest,
        reason: 'The pager says production is down.',
        content: {},
      });
    expect(await claim(requests[0]!, 'rule')).toBe('claimed');
    await setUser(two.nodes[0], ada, { mayBreakGlass: false });
    expect(await claim(requests[1]!, 'rule')).toBe('approval-lapsed');
  });

  test('lapses if its standing approval ended or rests on votes that no longer count', async () => {
    const alice = { requester: { subject: 'alice', verified: true }, schema: { type: 'object', properties: {} } };
    const ada = await approver();
    const first = await ask('again', alice);
    await ada.vote(first, { allowFor: 3_600_000 });
    const used = [await ask('again', alice), await ask('again', alice)];
    expect(used.map(({ status }) => status)).toEqual(['accepted', 'accepted']);
    expect(await claim(used[0]!, 'again', { requester: alice.requester })).toBe('claimed');
    await setUser(two.nodes[0], ada, { disabled: true });
    expect(await claim(used[1]!, 'again', { requester: alice.requester })).toBe('approval-lapsed');
    expect((await lapsesOf(used[1]!))[0]).toHaveProperty('grant');
    expect((await ask('again', alice)).status).toBe('open');
    const bob = await approver();
    const second = await ask('again', { ...alice, arguments: { amount: 7 } });
    await bob.vote(second, { allowFor: 3_600_000 });
    const third = await ask('again', { ...alice, arguments: { amount: 7 } });
    const { grants } = await json<{
      grants: { id: string; elicitation: string }[];
    }>(boss.call('GET', '/api/grants'));
    const grant = grants.find(({ elicitation }) => elicitation === second.id)?.id;
    await boss.call('POST', `/api/grants/${grant}/revoke`);
    const run = { requester: alice.requester, arguments: { amount: 7 } };
    expect([third.status, await claim(third, 'again', run)]).toEqual(['accepted', 'approval-lapsed']);
  });
});

test('S4 an approval stands if the remaining votes suffice', async () => {
  const [ada, bob, cleo] = [await approver(), await approver(), await approver()];
  await publish(
    two.nodes[0],
    'policy: either\nmatch: { tool: either }\nrequire: { stages: [{ name: One, complete: any, groups: [{ name: A, approve: 2, approvers: anyone }] }] }',
  );
  const request = await ask('either');
  await ada.vote(request);
  await setUser(two.nodes[0], ada, { disabled: true });
  await bob.vote(request);
  expect((await cleo.vote(request)).status).toBe(200);
  expect(await claim(request, 'either')).toBe('claimed');
});

test('S4 a change between the first check and the claim is noticed, at any node', async () => {
  const [ada, bob] = [await approver(), await approver()];
  const request = await ask('two');
  for (const who of [ada, bob]) await who.vote(request);
  const { engine } = two.nodes[1];
  const [server] = (await engine.directory.read()).servers;
  let looks = 0;
  const late: Engine = {
    ...engine,
    toolCalls: {
      ...engine.toolCalls,
      async move(...args) {
        // The claim is decided; before its statement comes, another node takes the right away.
        if ((looks += 1) === 1) await setUser(two.nodes[0], bob, { role: 'reviewer' });
        return engine.toolCalls.move(...args);
      },
    },
  };
  const run = await runDigest({ ...question, tool: { name: 'two' } });
  // Of the policy that denies it to others, nothing is known of the requester here.
  const claimed = claimToolCall(late, wholeServer(server?.id as ServerId), request.toolCall as ToolCallId, {
    attempt: 'a',
    run,
  });
  await expect(claimed).rejects.toThrowProblem('approval-lapsed');
  expect(looks).toBe(2);
});
