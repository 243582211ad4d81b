import { afterAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Passes } from '#requests/asking/contract/routes';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { publish } from '../../support/requests/policies.ts';
import { asWritten, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

const reading = 'policy: reading\nmatch: { annotations: { readOnlyHint: true } }\nallow: { ceiling: medium }';
const guarded = 'policy: guarded\nmatch: { tool: grep }\nwhen: request.args.path == "/etc"\ndeny: { reason: No. }';
const poisoned = `policy: poisoned\nmatch: { tool: fetch }\nwhen: tool.definition == "${'cd'.repeat(32)}"\ndeny: { reason: No. }`;
const calm = 'policy: calm\nmatch: { tool: note }\nallow: { ceiling: medium }';

const two = await startTwoNodes();
afterAll(() => two.stop());
const admin = await openBrowser(two.nodes[0], 'admin');
let asking: Asking = askingAt(two.nodes[1].url, await two.nodes[0].newServerKey('files'));
await publish(two.nodes[0], reading, guarded, poisoned, calm);

const readOnly = { readOnlyHint: true };
const passFor = (name: string, parts: object = {}, annotations: object = readOnly) => ({
  tool: { name, annotations },
  requester: { subject: 'local:ada' },
  ...parts,
});
const renew = async (...passes: object[]) => {
  const response = await asking.call('POST', '/v1/passes', { passes });
  expect(response.status).toBe(200);
  return (await json<Passes>(response)).passes;
};
const deniedOf = async (...passes: object[]) => {
  const response = await asking.call('POST', '/v1/passes', { passes });
  return (await json<Passes>(response)).denied;
};
const ran = (id = randomBytes(16).toString('hex')) => ({ id, policy: 'reading@1', run: 'ab'.repeat(32) });
const logged = async () => {
  const rows = await two.query(`SELECT entry FROM audit_log WHERE type = 'call.passed' ${asWritten}`);
  return rows as Record<string, unknown>[];
};

test('a pass is for a tool that only reads and that policies allow whatever the arguments', async () => {
  const passes = await renew(
    passFor('list'),
    passFor('grep'), // a policy looks at its arguments
    passFor('note', {}, {}), // allowed, but it may write: each call is stored and runs once
    passFor('drop', {}, { destructiveHint: true }),
  );
  expect(passes).toEqual([{ policy: 'reading@1' }, null, null, null]);
});

test('a policy that names a definition decides about this definition alone', async () => {
  const tool = (digest: string) => ({ name: 'fetch', annotations: readOnly, schemaDigest: digest.repeat(32) });
  const passes = await renew(passFor('', { tool: tool('ab') }), passFor('', { tool: tool('cd') }));
  expect(passes).toEqual([{ policy: 'reading@1' }, null]);
  const statuses = ['ab', 'cd'].map(async (digest) => (await asking.open({ tool: tool(digest) })).status);
  expect(await Promise.all(statuses)).toEqual(['accepted', 'declined']);
});

test('a tool is denied only if the policies deny it to this requester whatever the arguments', async () => {
  await publish(
    two.nodes[0],
    'policy: never\nmatch: { tool: format }\ndeny: { reason: No. }',
    'policy: sometimes\nmatch: { tool: format }\nwhen: request.args.disk == "b"\nallow: { ceiling: medium }',
    'policy: checked\nmatch: { tool: pay }\nrequire: { requester: verified, stages: [{ name: One, approvers: anyone }] }',
  );
  const named = { requester: { subject: 'ada', issuer: 'https://id.example.com', verified: true } };
  const denied = await deniedOf(
    passFor('format'),
    passFor('grep'), // denied for some arguments
    passFor('list'),
    passFor('pay', {}, {}), // no one has checked who asks
    passFor('pay', named, {}),
  );
  expect(denied).toEqual([true, false, false, true, false]);
});

test('what ran is in the log once, however often and at whichever node it is reported, and no argument is', async () => {
  const run = ran();
  await renew(passFor('list', { ran: [run, ran()] }));
  asking = asking.at(two.nodes[0].url);
  await renew(passFor('list', { ran: [run] }), passFor('list', { ran: [run] }));
  const entries = await logged();
  expect(entries).toHaveLength(2);
  expect(entries[0]).toMatchObject({
    type: 'call.passed',
    actor: { kind: 'server' },
    serverName: 'files',
    tool: 'list',
    policy: 'reading@1',
    run: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(entries[0]?.['run']).not.toBe(run.run);
});

test('another server cannot take the place of a report', async () => {
  const run = ran();
  const other = askingAt(two.nodes[0].url, await two.nodes[0].newServerKey('other'));
  await other.call('POST', '/v1/passes', { passes: [passFor('list', { ran: [run] })] });
  await renew(passFor('list', { ran: [run] }));
  expect(
    (await logged())
      .slice(-2)
      .map(({ serverName }) => serverName)
      .toSorted(),
  ).toEqual(['files', 'other']);
});

const isGood = async () => {
  const [pass] = await renew(passFor('list'));
  return pass !== null;
};

test('a version in shadow mode sees every call', async () => {
  const document = 'policy: strict\nmatch: { tool: list }\nrequire: { stages: [{ name: A, approvers: anyone }] }';
  await admin.call('POST', '/api/policies', { document });
  await admin.call('POST', '/api/policies/strict/versions/1/submit');
  const shadow = (version: number | null) => admin.call('POST', '/api/policies/strict/shadow', { version });
  expect([(await shadow(1)).status, await isGood()]).toEqual([200, false]);
  expect([(await shadow(null)).status, await isGood()]).toEqual([200, true]);
});

test('a stop, or another policy, ends passes at every node with the next request', async () => {
  const response = await admin.call('POST', '/api/stops', { reason: 'We look into it.', tool: 'list' });
  expect([response.status, await isGood()]).toEqual([201, false]);
  const { id } = await json<{ id: string }>(response);
  const second = await openBrowser(two.nodes[0], 'admin');
  await second.call('POST', `/api/stops/${id}/lift`);
  expect(await isGood()).toBe(true);
  await publish(two.nodes[0], 'policy: closed\nmatch: { tool: list }\ndeny: { reason: Not now. }');
  expect(await isGood()).toBe(false);
});

test('a malformed report gets no passes', async () => {
  const response = await asking.call('POST', '/v1/passes', { passes: [passFor('list', { ran: [{ id: 'x' }] })] });
  expect(response.status).toBe(400);
});
