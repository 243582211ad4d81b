import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openReceipt } from '#audit/receipts/rules';
import { parseVerifierKey } from '#audit/tree/rules/notes';
import type { CreatedKey } from '#access/keys/contract/key';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { AddedUser } from '#people/users/contract';
import { changeUser } from '#people/users/verbs';
import { askingAt } from '../../support/nodes/asking.ts';
import { browserAt, openBrowser, type Browser } from '../../support/nodes/console.ts';
import { enterBy, mailedLink, mailsDown } from '../../support/nodes/mailed-link.ts';
import { publish } from '../../support/requests/policies.ts';
import type { TestServer } from '../../support/nodes/server.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

let [trial, production] = [] as unknown as [TestServer, TestServer];
let [maker, ada] = [] as unknown as [Browser, Browser];
const defaults = { requester: 'any' } as const; // so that one approver is enough in production, too
// The same database, served as a trial and as production.
const two = await startTwoNodes({ smtp: mailsDown }, { smtp: mailsDown, environment: 'production', defaults });
afterAll(() => two.stop());
[trial, production] = two.nodes;
[maker, ada] = [await openBrowser(trial, 'admin', 'password'), await openBrowser(trial)];
const created = await maker.call('POST', '/api/keys', { server: 'payments' });
const asking = askingAt(trial.url, (await json<CreatedKey>(created)).key);

const requester = { subject: 'mallory', verified: true };
const opened = (node: TestServer, parts?: object): Promise<OpenedElicitation> =>
  asking.at(node.url).open({ requester, ...parts });

async function vote(node: TestServer, by: Browser, request: OpenedElicitation) {
  const response = await by.at(node.url).vote(request);
  const { code, status } = await json<{ code?: string; status: unknown }>(response);
  return [response.status, code ?? status];
}

/** Signs in as someone whom the maker of the key has added, with the link that went to an address of their choice. */
async function invented(role: string): Promise<Browser> {
  const person = { email: `${crypto.randomUUID()}@example.com`, name: 'Invented', role };
  const { user } = await json<AddedUser>(maker.call('POST', '/api/users', person));
  const cookie = await enterBy(await mailedLink(trial, user.id), trial);
  return browserAt(trial.url, { kind: 'user', ...user }, cookie);
}

const voted = async ({ id }: OpenedElicitation) =>
  (await entriesOf(two, id)).filter(({ type }) => type === 'elicitation.voted');

describe('S3 in production', () => {
  test('who made a key decides nothing that it asks, under whatever name', async () => {
    const request = await opened(production);
    expect(await vote(production, maker, request)).toEqual([409, 'not-now']);
    expect((await maker.at(production.url).show(request.id)).can.vote.allowed).toBe(false);
    expect(await vote(production, await invented('approver'), request)).toEqual([409, 'not-now']);
    expect(await vote(production, ada, request)).toEqual([200, 'accepted']);
    expect((await voted(request))[0]).not.toHaveProperty('keyMaker');
  });

  test('they decide nothing that was asked in a trial, either', async () => {
    const request = await opened(trial);
    expect(await vote(production, maker, request)).toEqual([409, 'not-now']);
  });

  test('nothing runs that they approved in a trial, and the log says whose vote does not count', async () => {
    const request = await opened(trial);
    expect(await vote(trial, maker, request)).toEqual([200, 'accepted']);
    const refused = await asking.at(production.url).claim(request.toolCall, 'run-1', { requester });
    expect([refused.status, (await json<{ code: string }>(refused)).code]).toEqual([409, 'approval-lapsed']);
    expect(await entriesOf(two, request.id)).toContainEqual(
      expect.objectContaining({ type: 'call.lapsed', user: maker.user.id }),
    );
  });
});

describe('what they gave in a trial, production does not take', () => {
  const policies = ['pay_two', 'pay_again'].map((tool) => {
    const isTwo = tool === 'pay_two';
    return `policy: ${tool.replace('_', '-')}\nmatch: { tool: ${tool} }\nrequire:\n  stages: [{ name: Any, approvers: anyone, approve: ${isTwo ? 2 : 1} }]
${isTwo ? '' : '  grant: { longest: 8h, uses: 9 }\n'}`;
  });
  beforeAll(async () => {
    for (const policy of policies) await publish(trial, policy);
  });
  const allowFor = (node: TestServer, by: Browser, { id, digest }: OpenedElicitation) =>
    json<{ status: string }>(
      by.at(node.url).call('POST', `/api/elicitations/${id}/vote`, {
        action: 'accept',
        digest,
        content: {},
        allowFor: 3_600_000,
      }),
    );
  const [two_, again] = [{ tool: { name: 'pay_two' } }, { tool: { name: 'pay_again' } }];
  const schema = { type: 'object', properties: { sure: { type: 'boolean', default: true } } };

  test('a vote of one who made the key, of two that are needed', async () => {
    const request = await opened(trial, two_);
    expect(await vote(trial, maker, request)).toEqual([200, 'open']);
    expect(await vote(production, ada, request)).toEqual([200, 'open']);
  });

  test('a standing approval', async () => {
    const request = await opened(trial, { ...again, schema });
    expect(await allowFor(trial, maker, request)).toMatchObject({ status: 'accepted' });
    expect((await opened(production, { ...again, schema })).status).toBe('open');
    const next = await opened(trial, { ...again, schema });
    expect(next.status).toBe('accepted');
    const refused = await asking
      .at(production.url)
      .claim(next.toolCall, 'run-1', { ...again, schema, requester } as never);
    expect((await json<{ code: string }>(refused)).code).toBe('approval-lapsed');
  });

  test('a standing approval that they gave to another key, for what their own key asks', async () => {
    const other = { ...again, schema, requester: { subject: 'oscar', verified: true } };
    const request = await two.asking.open(other);
    expect(await allowFor(production, maker, request)).toMatchObject({ status: 'accepted' });
    expect((await two.asking.open(other)).status).toBe('accepted');
    expect((await opened(production, other)).status).toBe('open');
    const next = await opened(trial, other);
    expect(next.status).toBe('accepted');
    const refused = await asking.at(production.url).claim(next.toolCall, 'run-1', other as never);
    expect((await json<{ code: string }>(refused)).code).toBe('approval-lapsed');
  });

  test('an emergency override by someone they have added', async () => {
    const by = await invented('approver');
    await changeUser(trial.engine, 'operator', by.user.id, { mayBreakGlass: true });
    const request = await opened(trial);
    const override = { digest: request.digest, reason: 'The only person is away.', content: {} };
    const confirmed = await by.call('POST', '/api/session/confirm', { password: 'a password the administrator knows' });
    const fresh = browserAt(trial.url, by.user, confirmed.headers.get('set-cookie')?.split(';')[0] ?? '');
    expect((await fresh.call('POST', `/api/elicitations/${request.id}/break-glass`, override)).status).toBe(200);
    const refused = await asking.at(production.url).claim(request.toolCall, 'run-1', { requester });
    expect((await json<{ code: string }>(refused)).code).toBe('approval-lapsed');
  });
});

describe('in a trial, the one person who made the key', () => {
  test('finds what it asks in the inbox, approves it, and it runs', async () => {
    const request = await opened(trial);
    const { items } = await json<{ items: { id: string }[] }>(maker.call('GET', '/api/elicitations?view=mine'));
    expect(items.map(({ id }) => id)).toContain(request.id);
    expect((await maker.show(request.id)).can.vote.allowed).toBe(true);
    expect(await vote(trial, maker, request)).toEqual([200, 'accepted']);
    expect((await asking.claim(request.toolCall, 'run-1', { requester })).status).toBe(200);
  });

  test('is named as its maker by the entry, the receipt, the record and the page', async () => {
    const request = await opened(trial);
    await vote(trial, maker, request);
    const named = { keyMaker: maker.user.id };
    expect(await voted(request)).toMatchObject([{ actor: { kind: 'user', id: maker.user.id }, ...named }]);
    const receipt = await (await maker.call('GET', `/api/elicitations/${request.id}/receipt`)).text();
    const { keys } = await trial.logKeys();
    const entry = openReceipt(receipt, [parseVerifierKey(keys[0]?.key ?? '')])?.entry;
    expect(JSON.parse(String(entry))).toMatchObject(named);
    expect(await json(maker.call('GET', `/api/audit/requests/${request.id}`))).toMatchObject({ votes: [named] });
    expect((await maker.show(request.id)).timeline.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'elicitation.voted', keyMaker: { name: maker.user.name } }),
    );
  });

  test('is named also if they vote as someone they have added, and not if someone else votes', async () => {
    const [first, second] = [await opened(trial), await opened(trial)];
    expect(await vote(trial, await invented('approver'), first)).toEqual([200, 'accepted']);
    expect(await voted(first)).toMatchObject([{ issuer: maker.user.id, keyMaker: maker.user.id }]);
    expect(await vote(trial, ada, second)).toEqual([200, 'accepted']);
    expect((await voted(second))[0]).not.toHaveProperty('keyMaker');
  });

  test('is named also by an emergency override', async () => {
    await changeUser(trial.engine, 'operator', maker.user.id, { mayBreakGlass: true });
    const { id, digest } = await opened(trial);
    const override = { digest, reason: 'The only person is away.', content: {} };
    expect((await maker.call('POST', `/api/elicitations/${id}/break-glass`, override)).status).toBe(200);
    expect(await entriesOf(two, id)).toContainEqual(
      expect.objectContaining({ type: 'elicitation.break-glass', keyMaker: maker.user.id }),
    );
  });

  test('decides nothing that they ask under their own name', async () => {
    const request = await opened(trial, { requester: { subject: maker.user.email } });
    expect(await vote(trial, maker, request)).toEqual([409, 'not-now']);
  });

  test('accepts no change of power that someone they added has asked for in production', async () => {
    const [asker, second] = [await invented('admin'), await openBrowser(trial, 'admin', 'password')];
    const person = { email: 'new@example.com', name: 'New', role: 'approver' };
    const confirmed = await asker.call('POST', '/api/session/confirm', {
      password: 'a password the administrator knows',
    });
    const fresh = browserAt(production.url, asker.user, confirmed.headers.get('set-cookie')?.split(';')[0] ?? '');
    const response = await fresh.call('POST', '/api/users', person);
    const { request: id } = await json<{ request: string }>(response);
    const { digest } = await second.show(id);
    const request = { id, digest } as OpenedElicitation;
    expect(await vote(trial, maker, request)).toEqual([409, 'not-now']);
    expect(await vote(trial, second, request)).toEqual([200, 'accepted']);
  });
});
