import { afterAll, describe, expect, test } from '@jest/globals';
import { askingAt } from '../../support/nodes/asking.ts';
import { publish } from '../../support/requests/policies.ts';
import { startTestServer, type TestUser } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

let [maker, owner, ada, grace] = [] as unknown as [TestUser, TestUser, TestUser, TestUser];
const server = await startTestServer({ environment: 'production' });
afterAll(() => server.stop());
maker = await server.newUser('admin');
[owner, ada, grace] = await Promise.all([server.newUser(), server.newUser(), server.newUser()]);
const created = await maker.call('POST', '/api/keys', { server: 'payments' });
const asking = askingAt(server.url, (await json<{ key: string }>(created)).key);
const { servers } = await json<{ servers: { id: string }[] }>(maker.call('GET', '/api/servers'));
expect((await maker.call('PATCH', `/api/servers/${servers[0]?.id}`, { ownerId: owner.id })).status).toBe(200);

const destructive = { name: 'wipe', annotations: { destructiveHint: true } };
const vote = async (user: TestUser, id: string): Promise<number> =>
  (await user.vote(id, 'accept', { confirmed: true })).status;
const statusOf = async (id: string): Promise<string> => (await ada.show(id)).status;

describe.each([
  ['whom no one has verified', { subject: 'client:agent', verified: false }],
  ['whom only the server has verified', { subject: 'mallory', issuer: 'https://idp.example.com', verified: true }],
])('S3 a requester %s', (_, requester) => {
  test('needs the approval of two people, neither of whom owns the server or made its key', async () => {
    const { id } = await asking.open({ tool: destructive, requester });
    expect([await vote(maker, id), await vote(owner, id)]).toEqual([409, 409]);
    expect([await vote(ada, id), await statusOf(id)]).toEqual([200, 'open']);
    expect([await vote(grace, id), await statusOf(id)]).toEqual([200, 'accepted']);
  });

  test('gets no approval under a policy that demands a verified requester', async () => {
    await publish(
      server,
      'policy: checked\nmatch: { tool: pay }\nrequire: { requester: verified, stages: [{ name: S, approvers: anyone }] }',
    );
    const opened = await asking.open({ tool: { name: 'pay' }, requester });
    expect(opened).toMatchObject({ status: 'declined', comment: expect.stringContaining('must have checked') });
  });

  test('may be anyone under a policy that says so', async () => {
    await publish(
      server,
      'policy: any\nmatch: { tool: look }\nrequire: { requester: any, stages: [{ name: S, approvers: anyone }] }',
    );
    const { id } = await asking.open({ tool: { name: 'look' }, requester });
    expect([await vote(owner, id), await statusOf(id)]).toEqual([200, 'accepted']);
  });
});

describe('S9 a tool that no policy covers and that has no annotations', () => {
  const quiet = { tool: { name: 'wire' }, audience: 'requester' };

  test('goes to approvers, and its agent cannot answer for them', async () => {
    const { id, audience, policy } = await asking.open(quiet);
    expect([audience, policy?.sentence]).toEqual(['approvers', expect.stringContaining('so approvers decide')]);
    const answer = { action: 'accept', content: { confirmed: true }, channel: 'told' };
    expect((await asking.call('POST', `/v1/elicitations/${id}/answer`, answer)).status).toBe(403);
  });

  test('goes to the requester if it only reads, and is denied if the installation says so', async () => {
    const reading = { name: 'look_up', annotations: { readOnlyHint: true } };
    expect((await asking.open({ ...quiet, tool: reading })).audience).toBe('requester');
    const strict = await startTestServer({ environment: 'production', defaults: { unknownTools: 'deny' } });
    const denied = await askingAt(strict.url, await strict.newServerKey()).open(quiet);
    expect(denied.status).toBe('declined');
    await strict.stop();
  });
});
