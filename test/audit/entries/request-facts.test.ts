import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { readEntry, type AuditEvent, type StoredEvent } from '#audit/entries/rules/entry';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { MintedToken } from '#requests/pages/contract';
import type { GrantList } from '#requests/grants/contract';
import type { WaitingChange } from '#people/changes/contract';
import { takeDueTimers } from '#requests/state/verbs/end';
import { eraseContent } from '#keeping/content/verbs/erase';
import type { ElicitationId } from '#platform/model/id';
import { types as english } from '#locales/audit-log.en';
import { types as german } from '#locales/audit-log.de';
import { deliberationExchanges } from '../../requests/deliberation/deliberation-exchanges.ts';
import { routeEntries } from '../../platform/http/route-entries.ts';
import { openReceiver, reach } from '../../notify/receiver.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { sequenceAll } from '../../support/nodes/log.ts';
import { publish, setUser } from '../../support/requests/policies.ts';
import { until } from '../../support/poll.ts';
import { startFakePayments } from '../../support/connect/fake-payments.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { letIn, newVisitor } from '../../support/nodes/visitor.ts';
import { json } from '../../support/json.ts';

/** What an entry says of the request it is about, apart from its id. A sentence says why it says nothing. */
type Row = 'facts' | 'progress' | string;

const person = 'It is about a person.';
const group = 'It is about a group.';
const policy = 'It names its policy, and is about no request.';
const installation = 'It is about the installation.';
const server = 'It is about a server.';
const role = 'It is about a role of the installation.';
const space = 'It is about a space.';

/** Of every kind of entry: a new kind without its row is refused by the compiler. */
const rows: Record<AuditEvent['type'], Row> = {
  'elicitation.opened': 'progress',
  'elicitation.visited': 'progress',
  'elicitation.answered': 'progress',
  'elicitation.voted': 'progress',
  'elicitation.vote-withdrawn': 'progress',
  'elicitation.votes-voided': 'progress',
  'elicitation.edited': 'progress',
  'elicitation.approver-added': 'progress',
  'elicitation.watched': 'progress',
  'elicitation.postponed': 'progress',
  'elicitation.commented': 'progress',
  'elicitation.inquired': 'progress',
  'elicitation.informed': 'progress',
  'elicitation.break-glass': 'progress',
  'elicitation.decided': 'progress',
  'elicitation.cancelled': 'progress',
  'elicitation.extended': 'progress',
  'elicitation.caller': 'progress',
  'elicitation.reminded': 'progress',
  'elicitation.escalated': 'progress',
  'elicitation.started': 'progress',
  'elicitation.expired': 'progress',
  'elicitation.settling': 'progress',
  'elicitation.mismatch': 'progress',
  'elicitation.unsettled': 'progress',
  'provider.unmatched': installation,
  'page.moved': 'progress',
  'callback.late': 'progress',
  'callback.unfit': 'progress',
  'call.claimed': 'progress',
  'call.released': 'progress',
  'call.completed': 'progress',
  'call.settled': 'progress',
  'call.applied': 'progress',
  'call.revoked': 'progress',
  'call.lapsed': 'progress',
  'call.mismatched': 'progress',
  'call.passed': 'No one was asked: it names server, tool, policy and requester itself.',
  'call.read': 'No one was asked about the call: it names server, tool, policy and requester itself.',
  'call.erased': 'It is about many calls of one server.',
  'access.looked': 'facts',
  'access.read': 'facts',
  'access.exported': 'facts',
  'access.listed': 'It is about many requests.',
  'access.refused': 'A request that is hidden and one that does not exist are written alike.',
  'access.sign-in-failed': person,
  'break-glass.reviewed': 'facts',
  'look-back.reviewed': 'facts',
  'content.erased': 'facts',
  'grant.revoked': 'facts',
  'grant.suspended': 'facts',
  'grant.reviewed': 'facts',
  'hold.placed': 'It names its scope, which may be many requests.',
  'hold.released': 'It names the hold.',
  'stop.made': 'It names server and tool, and is about no request.',
  'stop.lifted': 'It names the stop.',
  'group.added': group,
  'group.provisioned': group,
  'group.adopted': group,
  'group.adoption-ended': group,
  'group.changed': group,
  'group.deleted': group,
  'group.members-changed': group,
  'group.confirmation-set': group,
  'group.confirmation-due': group,
  'group.confirmed': group,
  'group.lapsed': group,
  'delegation.made': person,
  'delegation.revoked': person,
  'policy.drafted': policy,
  'policy.submitted': policy,
  'policy.approved': policy,
  'policy.rejected': policy,
  'policy.published': policy,
  'policy.shadowed': policy,
  'server.added': server,
  'server.owner-changed': server,
  'server.moved': server,
  'space.added': space,
  'space.member-changed': space,
  'group.moved': group,
  'role.added': role,
  'role.changed': role,
  'role.removed': role,
  'scim-token.created': installation,
  'scim-token.revoked': installation,
  'admin-token.created': installation,
  'admin-token.revoked': installation,
  'workload.added': server,
  'workload.removed': server,
  'key.created': server,
  'key.revoked': server,
  'key.rotated': server,
  'key.changed': server,
  'tool.accepted': server,
  'tool.changed': server,
  'webhook.added': installation,
  'webhook.removed': installation,
  'secret.activated': installation,
  'secret.retired': installation,
  'database.restored': installation,
  'log.verified': installation,
  'node.configured': installation,
  'user.added': person,
  'user.changed': person,
  'user.pair-decided': person,
  'user.provisioned': person,
  'user.confirmed': person,
  'user.link-made': person,
  'user.password-set': person,
  'user.provider-connected': person,
  'user.provider-removed': person,
  'user.password-changed': person,
  'user.passkey-added': person,
  'user.passkey-backup-changed': person,
  'user.passkey-removed': person,
  'user.totp-added': person,
  'user.totp-removed': person,
  'user.recovery-codes-renewed': person,
  'user.sessions-ended': person,
  'user.signed-in': person,
  'user.signed-out': person,
  'notification.sent': 'facts',
  'notification.given-up': 'facts',
  'device.added': person,
  'device.removed': person,
  'credential.stored': server,
  'credential.used': server,
  'credential.refused': server,
  'credential.removed': server,
};

const stages = '[{ name: One, approvers: anyone }, { name: Two, approvers: anyone }]';
const documents = (first: string) => [
  'policy: reading\nmatch: { tool: read }\nallow: { ceiling: low }\n',
  `policy: editing\nmatch: { tool: edit }\nrequire: { stages: ${stages}, editable: { amount: { type: number } } }\n`,
  'policy: plain\nmatch: { tool: plain }\nrequire: { stages: [{ name: One, approvers: anyone }] }\n',
  'policy: twice\nmatch: { tool: twice }\nrequire: { stages: [{ name: One, approvers: anyone, approve: 2 }] }\n',
  `policy: timed\nmatch: { tool: timed }\nrequire:\n  reminders: [1m]\n  deadline: 10m\n  stages: [{ name: One, approvers: { user: ${first} }, escalate: { after: [{ after: 2m, add: anyone }] } }]\n`,
  'policy: granting\nmatch: { tool: granting }\nrequire:\n  stages: [{ name: One, approvers: anyone }]\n  grant: { longest: 8h, review: 1h }\n',
];

let ahead = 0;
const receiver = await openReceiver();
const now = (): number => Date.now() + ahead;
const defaults = { requester: 'any' } as const;
const provider = await startFakePayments({ now });
const outcomeProviders = [provider.settings({ servers: ['payments'] })];
const house = await startTestServer({ environment: 'production', defaults, webhooks: reach, outcomeProviders, now });
const asking = askingAt(house.url, await house.newServerKey('payments'));
const [ada, bob] = [await openBrowser(house, 'approver', 'password'), await openBrowser(house, 'approver', 'password')];
const [chief, second] = [await openBrowser(house, 'admin', 'password'), await openBrowser(house, 'admin', 'password')];
await publish(house, ...documents(ada.user.email));
const log = new pg.Client({ connectionString: house.databaseUrl });
afterAll(async () => {
  await log.end();
  await house.stop();
  await provider.close();
  await receiver.stop();
});
await log.connect();

async function must(answer: Promise<Response>): Promise<unknown> {
  const response = await answer;
  const text = await response.text();
  if (!response.ok) throw new TypeError(`${response.url}: ${response.status} ${text}`);
  return text === '' || text.startsWith('c2sp') ? null : JSON.parse(text);
}

const open = (tool: string, parts = {}) => asking.open({ tool: { name: tool }, ...parts });
const say = (by: Browser, { id, digest }: OpenedElicitation, verb: string, body = {}) =>
  must(by.call('POST', `/api/elicitations/${id}/${verb}`, { digest, ...body }));
const accept = (by: Browser, request: OpenedElicitation, parts = {}) =>
  say(by, request, 'vote', { action: 'accept', content: {}, ...parts });
const approved = async (tool = 'plain', parts = {}): Promise<OpenedElicitation> => {
  const request = await open(tool, parts);
  await accept(ada, request);
  return request;
};
const claim = ({ toolCall }: OpenedElicitation, attempt: string, parts = {}) =>
  asking.claim(toolCall, attempt, { tool: { name: 'plain' }, ...parts });

/** Each does what leaves entries of these kinds. */
const acts: [types: AuditEvent['type'][], act: () => Promise<unknown>][] = [
  [['elicitation.decided'], () => open('read', { tool: { name: 'read', annotations: { readOnlyHint: true } } })],
  [
    ['elicitation.visited', 'page.moved', 'elicitation.answered'],
    async () => {
      const { id, url = '' } = await asking.open({ mode: 'url', audience: 'requester', session: 's' });
      const purpose = { session: 's', purpose: 'page', elicitation: id };
      const { code } = (await must(asking.call('POST', '/v1/tokens', purpose))) as MintedToken;
      await letIn(newVisitor(), url, code ?? '');
      const visitor = newVisitor();
      await letIn(visitor, url, code ?? '');
      await visitor.send(url, { action: 'accept', confirmed: 'true' });
    },
  ],
  [
    ['callback.unfit', 'callback.late'],
    async () => {
      const parts = {
        mode: 'url',
        audience: 'requester',
        session: 's',
        url: 'https://pay.example/',
        schema: undefined,
      };
      const { id } = await asking.open(parts);
      const minted = (await must(asking.call('POST', '/v1/tokens', { session: 's', elicitation: id }))) as MintedToken;
      const report = (body: object) =>
        fetch(minted.callbackUrl ?? '', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      await report({ content: { amount: 1 } });
      await must(asking.call('POST', `/v1/elicitations/${id}/cancel`, {}));
      await report({});
    },
  ],
  [
    ['elicitation.edited', 'elicitation.voted', 'elicitation.vote-withdrawn'],
    async () => {
      await say(ada, await open('edit'), 'edit', { arguments: { amount: 50 } });
      const request = await open('twice');
      await accept(ada, request);
      await must(ada.call('POST', `/api/elicitations/${request.id}/withdraw-vote`));
    },
  ],
  [['elicitation.extended'], async () => say(ada, await open('plain'), 'extend', { by: 60_000 })],
  [
    ['elicitation.caller', 'elicitation.cancelled'],
    async () => {
      const { id } = await open('plain');
      await must(asking.call('POST', `/v1/elicitations/${id}/caller`, { state: 'gone' }));
      await must(asking.call('POST', `/v1/elicitations/${id}/cancel`, {}));
    },
  ],
  [
    ['call.claimed', 'call.completed', 'content.erased'],
    async () => {
      const request = await approved();
      await must(claim(request, 'a'));
      const end = (delivered: boolean) => ({ attempt: 'a', delivered, result: { ok: true } });
      for (const delivered of [false, true])
        await must(asking.call('POST', `/v1/tool-calls/${request.toolCall}/complete`, end(delivered)));
      const id = request.id as ElicitationId;
      await eraseContent(house.engine, 'operator', { request: id, of: 'request', ground: 'mistake' });
    },
  ],
  [
    ['call.released'],
    async () => {
      const call = randomUUID();
      await must(claim(await approved('plain', { call }), 'a'));
      await open('plain', { call, step: '1', attempt: 'a', message: 'And this?' });
    },
  ],
  [
    ['call.settled'],
    async () => {
      const request = await approved();
      await must(claim(request, 'a'));
      ahead += 5000;
      expect((await claim(request, 'b', { leaseMs: 1000 })).status).toBe(409);
    },
  ],
  [['call.revoked'], async () => say(ada, await approved(), 'revoke')],
  [['call.mismatched'], async () => expect((await claim(await approved(), 'a', { arguments: {} })).status).toBe(412)],
  [
    ['call.applied'],
    async () => {
      const eve = await openBrowser(house);
      const answer = await chief.call('PATCH', `/api/users/${eve.user.id}`, { role: 'admin' });
      const { request } = await json<WaitingChange>(answer);
      await say(second, (await second.show(request)) as never, 'vote', { action: 'accept' });
    },
  ],
  [
    ['grant.reviewed', 'grant.suspended', 'grant.revoked'],
    async () => {
      const tool = (digit: string) => ({ tool: { name: 'granting', schemaDigest: digit.repeat(64) } });
      const parts = { requester: { subject: 'alice', verified: true } };
      await accept(ada, await open('granting', { ...parts, ...tool('a') }), { allowFor: 3_600_000 });
      const { grants } = (await must(ada.call('GET', '/api/grants'))) as GrantList;
      await must(ada.call('POST', `/api/grants/${grants[0]?.id}/review`));
      await open('granting', { ...parts, ...tool('b') });
      await must(ada.call('POST', `/api/grants/${grants[0]?.id}/revoke`));
    },
  ],
  [
    ['access.looked', 'access.read', 'access.exported'],
    async () => {
      const request = await approved();
      await must(chief.call('POST', `/api/elicitations/${request.id}/look`, { reason: 'The yearly audit.' }));
      await chief.show(request.id);
      await sequenceAll(house.engine);
      expect((await ada.call('GET', `/api/elicitations/${request.id}/receipt`)).status).toBe(200);
    },
  ],
  [
    ['elicitation.reminded', 'elicitation.escalated', 'elicitation.started', 'elicitation.expired'],
    async () => {
      const later = await asking.open({ notBefore: Date.now() + ahead + 60_000 });
      await accept(ada, later);
      await open('timed');
      for (let minutes = 0; minutes < 11; minutes += 1) {
        ahead += 60_000;
        await takeDueTimers(house.engine);
      }
    },
  ],
  [
    ['notification.sent', 'notification.given-up'],
    async () => {
      const hook = await house.webhooks.add(new URL('/hook', receiver.url).href);
      const isLogged = async (type: string): Promise<boolean> =>
        (await entriesOfRequests()).some(({ body }) => body.type === type);
      await open('plain');
      await until(() => isLogged('notification.sent'));
      receiver.answer(410, 1000);
      await open('plain');
      await until(() => isLogged('notification.given-up'));
      await house.webhooks.remove(hook.id);
    },
  ],
  [
    ['elicitation.votes-voided', 'call.lapsed'],
    async () => {
      const request = await open('twice');
      await accept(bob, request);
      const lapsing = await open('plain');
      await accept(bob, lapsing);
      await setUser(house, bob, { disabled: true });
      expect((await claim(lapsing, 'a')).status).toBe(409);
    },
  ],
  [
    ['elicitation.settling', 'elicitation.mismatch', 'elicitation.unsettled'],
    async () => {
      const events = new URL('/providers/fake-payments/events', house.url).href;
      const less = provider.pays(await goToPay(), { amount: 1 });
      const processing = provider.isProcessing(await goToPay());
      for (const event of [less, processing]) expect(await provider.deliver(event, events)).toEqual([200]);
      ahead += 15 * 86_400_000;
      await takeDueTimers(house.engine);
    },
  ],
];

/** Sends the requester of a new payment to the provider; the session that was made there. */
async function goToPay(): Promise<string> {
  const expects = { kind: 'payment', provider: 'fake-payments', amount: '100.00', currency: 'EUR', for: 'Order 1042' };
  const parts = { mode: 'url', audience: 'requester', requester: { subject: 'client:test' }, schema: undefined };
  const { url = '', code } = (await asking.open({ ...parts, expects })) as OpenedElicitation & { code: string };
  const visitor = newVisitor();
  await letIn(visitor, url, code);
  await visitor.send(url, { action: 'accept' });
  return provider.sessions().at(-1)?.id ?? '';
}

/** The rest, by the exchanges of these routes. */
const exchanges = deliberationExchanges(() => ({ server: house, asking, browser: ada, admin: chief }));
const routes = [
  'addApprover',
  'watchElicitation',
  'addComment',
  'askForInformation',
  'giveInformation',
  'postponeElicitation',
  'reviewBreakGlass',
  'reviewLookBack',
] as const;

type Body = StoredEvent & { [fact: string]: unknown };

/** The entries so far that are about one request, with what its row says. */
async function entriesOfRequests(): Promise<{ body: Body; row: object }[]> {
  const { rows: stored } = await log.query<{ body: Buffer; row: object }>(`
    SELECT a.body, jsonb_build_object('server', s.id, 'serverName', s.name, 'tool', e.tool, 'policy', e.policy,
             'requester', encode(e.requester_hash, 'hex')) AS row
      FROM audit_entry a
      JOIN elicitation e ON e.id = coalesce(a.elicitation_id, audit.entry(a.body) #>> '{about,0}')
      JOIN server s ON s.id = e.server_id ORDER BY a.seq`);
  return stored.map(({ body, row }) => ({ body: readEntry(body) as Body, row }));
}

test.each(routes)('%s leaves what its route says', async (route) => {
  await must(exchanges[route]());
  const left = new Set<string>((await entriesOfRequests()).map(({ body }) => body.type));
  expect([routeEntries[route]].flat().filter((type) => !left.has(type))).toEqual([]);
});

test.each(acts)('%j are left', async (types, act) => {
  await act();
  const left = new Set((await entriesOfRequests()).map(({ body }) => body.type));
  expect(types.filter((type) => !left.has(type))).toEqual([]);
});

test('every entry about a request says which server, tool, policy and requester, and how far it had come', async () => {
  const entries = await entriesOfRequests();
  const types = new Set<string>(entries.map(({ body }) => body.type));
  const expected = Object.entries(rows).filter(([, row]) => row === 'facts' || row === 'progress');
  expect(expected.map(([type]) => type).filter((type) => !types.has(type))).toEqual([]);
  for (const { body, row } of entries.filter(({ body: { type } }) => ['facts', 'progress'].includes(rows[type]))) {
    expect(body).toMatchObject(row);
    if (rows[body.type] === 'progress')
      expect([body.type, body['stage'], body['waited']]).toEqual([body.type, expect.any(Number), expect.any(Number)]);
  }
});

test.each([
  ['English', english],
  ['German', german],
])('the console words every kind of entry in %s', (_language, types) => {
  expect(Object.keys(rows).filter((type) => !(type in types))).toEqual([]);
});

test('how long something took is said in milliseconds since the request was asked', async () => {
  const entries = (await entriesOfRequests()).map(({ body }) => body);
  const opened = new Map(
    entries.flatMap((body) => (body.type === 'elicitation.opened' ? [[body.elicitation, Date.parse(body.at)]] : [])),
  );
  const late = entries.filter(({ type }) => type === 'elicitation.expired');
  expect(late.length).toBeGreaterThan(0);
  for (const body of late)
    expect(body['waited']).toBe(Date.parse(body.at) - (opened.get(body['elicitation'] as ElicitationId) ?? 0));
});
