import { afterAll, expect, test } from '@jest/globals';
import type { PolicyDetail } from '#policies/contract/documents';
import { setOwner } from '#people/groups/verbs';
import { delegate } from '#people/delegations/verbs';
import type { ServerId } from '#platform/model/id';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

/** Who is kept out, in each of the ways there are. */
const kept = ['requester', 'agentOwner', 'author', 'editor', 'earlierVoter'] as const;
type Kept = (typeof kept)[number];

const document = `policy: matrix
match: { tool: matrix }
require:
  stages: [{ name: First, approvers: anyone }, { name: Second, approvers: anyone }]
  separation: { agentOwner: true, author: true, editor: true, earlierVoters: true }
  editable: { amount: { type: integer } }`;

const server = await startTestServer();
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());
const browsers = await Promise.all(kept.map((item) => openBrowser(server, item === 'author' ? 'admin' : 'approver')));
const out = Object.fromEntries(kept.map((item, at) => [item, browsers[at]])) as Record<Kept, Browser>;
/** Votes for any of them, and lets any of them vote for him or her. */
const [deputy, absent, free] = await Promise.all([openBrowser(server), openBrowser(server), openBrowser(server)]);
for (const browser of browsers) {
  const endsAt = Date.now() + 3_600_000;
  await delegate(server.engine, browser.user, { toId: deputy.user.id, endsAt });
  await delegate(server.engine, absent.user, { toId: browser.user.id, endsAt });
}
const { servers } = await server.engine.directory.read();
await setOwner(server.engine, 'operator', servers[0]?.id as ServerId, out.agentOwner.user.id);
await publishAs(out.author, await openBrowser(server, 'admin'));

async function publishAs(author: Browser, reviewer: Browser): Promise<void> {
  const result = await json<PolicyDetail>(author.call('POST', '/api/policies', { document }));
  const on = (by: Browser, verb: string, body?: object) =>
    by.call('POST', `/api/policies/matrix/versions/${result.version}/${verb}`, body);
  await on(author, 'submit');
  await on(reviewer, 'review', { verdict: 'approve', digest: result.digest });
  expect((await on(reviewer, 'publish')).status).toBe(200);
}

const vote = async (by: Browser, id: string, parts: object = {}): Promise<number> => {
  const { digest } = await by.show(id);
  const body = { action: 'accept', content: {}, digest, ...parts };
  return (await by.call('POST', `/api/elicitations/${id}/vote`, body)).status;
};

/** In its second stage: everyone who is kept out in some way is so by then. */
async function openMatrix(): Promise<string> {
  const requester = { subject: out.requester.user.email, verified: true };
  const { id, digest } = await asking.open({ tool: { name: 'matrix' }, arguments: { amount: 1 }, requester });
  const edited = await out.editor.call('POST', `/api/elicitations/${id}/edit`, { digest, arguments: { amount: 2 } });
  expect(edited.status).toBe(200);
  expect(await vote(out.earlierVoter, id)).toBe(200);
  return id;
}

test.each(kept)('P7 the %s has no vote: not as themselves, not by a delegate, not for another', async (item) => {
  const id = await openMatrix();
  const before = (await free.show(id)).votes;
  const refused = [
    await vote(out[item], id),
    await vote(deputy, id, { for: out[item].user.id }),
    await vote(out[item], id, { for: absent.user.id }),
  ];
  for (const status of refused) expect([403, 409]).toContain(status);
  expect((await free.show(id)).votes).toEqual(before);
  expect((await out[item].show(id)).can.vote.allowed).toBe(false);
  // Anyone who is kept out by nothing decides it, also for someone.
  expect(await vote(free, id)).toBe(200);
  expect((await free.show(id)).status).toBe('accepted');
});
