import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ProblemDocument } from '#platform/http/contract/problem';
import type { KeyEntry, KeyList } from '#access/keys/contract/key';
import { commonNetworks, isWider, isWithin } from '#platform/nodes/verbs/networks';
import { createServerKey, revokeKey } from '#access/keys/verbs/keys';
import { openBrowser } from '../../support/nodes/console.ts';
import { sequenceAll, verify } from '../../support/nodes/log.ts';
import { asWritten, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';
import { accept, waiting } from '../../support/requests/waiting-change.ts';

/** Where existing keys work, in production: two administrators let a key work from more places. */
const two = await startTwoNodes({ environment: 'production' });
afterAll(() => two.stop());
const [node] = two.nodes;
const [ada, ben] = [await openBrowser(node, 'admin', 'password'), await openBrowser(node, 'admin', 'password')];
const olli = await openBrowser(node, 'operator', 'password');

let servers = 0;
const newKey = (networks: string[]) => createServerKey(two.nodes[0].engine, `limited-${(servers += 1)}`, { networks });

const change = (kid: string, networks: string[], by = olli) =>
  by.call('PUT', `/api/keys/${kid}/networks`, { networks });

async function outcome(answer: Promise<Response>): Promise<unknown> {
  const response = await answer;
  const { refusal, code, errors } = (await response.json()) as Partial<ProblemDocument>;
  return response.ok ? response.status : (refusal?.code ?? errors?.[0]?.path[0] ?? code);
}

const networksOf = async (kid: string): Promise<string[] | undefined> =>
  (await json<KeyList>(ada.call('GET', '/api/keys'))).keys.find((key) => key.kid === kid)?.networks;

const lastEntry = async (kid: string) =>
  (
    await two.query(`SELECT entry FROM audit_log WHERE type = 'key.changed' AND entry->>'kid' = $1 ${asWritten}`, [kid])
  ).at(-1);

/** From this address, at both nodes: 404 where the key is good, 401 elsewhere. */
const statusFrom = (key: string, address: string): Promise<number[]> =>
  Promise.all(
    two.nodes.map(async ({ url }) => {
      const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': address };
      return (await fetch(`${url}/v1/elicitations/eli_${'A'.repeat(22)}`, { headers })).status;
    }),
  );

test('people who may change keys take places away at once, at every node, with an entry that says from what', async () => {
  const { kid, key } = await newKey(['10.0.0.0/8']);
  expect(await statusFrom(key, '10.2.0.1')).toEqual([404, 404]);
  const response = await change(kid, ['10.1.0.0/16']);
  expect([response.status, (await json<KeyEntry>(response)).networks]).toEqual([200, ['10.1.0.0/16']]);
  expect(await statusFrom(key, '10.2.0.1')).toEqual([401, 401]);
  expect(await statusFrom(key, '10.1.0.1')).toEqual([404, 404]);
  const entry = { actor: { kind: 'user', id: olli.user.id }, before: ['10.0.0.0/8'], networks: ['10.1.0.0/16'] };
  expect(await lastEntry(kid)).toMatchObject(entry);
  const open = await newKey([]);
  expect(await outcome(change(open.kid, ['192.0.2.7/32']))).toBe(200);
  expect(await statusFrom(open.key, '192.0.2.8')).toEqual([401, 401]);
});

test.each([
  ['another network', ['10.0.0.0/8', '192.0.2.0/24']],
  ['a larger one', ['10.0.0.0/7']],
  ['anywhere', []],
])('%s needs a second administrator, and counts at every node then', async (_name, networks) => {
  const { kid, key } = await newKey(['10.0.0.0/8']);
  const address = networks.includes('192.0.2.0/24') ? '192.0.2.9' : '11.0.0.1';
  const request = await waiting(change(kid, networks, ada));
  expect(await networksOf(kid)).toEqual(['10.0.0.0/8']);
  expect((await ben.show(request)).message).toContain(`to ${networks.join(', ') || 'anywhere'}`);
  expect(await accept(ada, request)).toBe('is-requester');
  expect(await statusFrom(key, address)).toEqual([401, 401]);
  expect(await accept(ben, request)).toBe('accepted');
  expect(await statusFrom(key, address)).toEqual([404, 404]);
  expect(await lastEntry(kid)).toMatchObject({ networks, actor: { agreed: { with: [ben.user.id], request } } });
});

test('what does both takes away at once and asks for the rest, and equal networks change nothing', async () => {
  const { kid } = await newKey(['10.0.0.0/8', '192.0.2.7/32']);
  const request = await waiting(change(kid, ['10.1.0.0/16', '198.51.100.0/24']));
  expect(await networksOf(kid)).toEqual(['10.1.0.0/16']);
  expect(await accept(ben, request)).toBe('accepted');
  expect(await networksOf(kid)).toEqual(['10.1.0.0/16', '198.51.100.0/24']);
  const before = await lastEntry(kid);
  expect(await outcome(change(kid, ['10.1.0.0/16', '198.51.100.0/24']))).toBe(200);
  expect(await lastEntry(kid)).toEqual(before);
});

test('is refused for those who may not change keys, of what is no network, and of a key that is gone', async () => {
  const { kid } = await newKey(['10.0.0.0/8']);
  for (const role of ['approver', 'policy-author', 'reviewer'] as const)
    expect(await outcome(change(kid, ['10.1.0.0/16'], await openBrowser(two.nodes[0], role)))).toBe('operators-only');
  for (const network of ['10.0.0.0/33', 'office', '::ffff:10.0.0.0/104'])
    expect(await outcome(change(kid, [network]))).toBe('networks');
  expect(await outcome(change('0'.repeat(16), []))).toBe('not-found');
  await revokeKey(two.nodes[0].engine, 'operator', kid);
  expect(await outcome(change(kid, ['10.1.0.0/16']))).toBe('key-revoked');
});

test('is not made as accepted if the key works elsewhere by then', async () => {
  const { kid } = await newKey(['10.0.0.0/8']);
  const request = await waiting(change(kid, ['10.0.0.0/8', '192.0.2.0/24'], ada));
  expect(await outcome(change(kid, ['10.1.0.0/16']))).toBe(200);
  await accept(ben, request);
  expect(await json<object>(ada.call('GET', `/api/changes/${request}`))).toMatchObject({ state: 'not-made' });
  expect(await networksOf(kid)).toEqual(['10.1.0.0/16']);
});

test('two changes at once, at two nodes, widen nothing: the one that is later is asked about or refused', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { kid } = await newKey(['10.0.0.0/8']);
    const outcomes = await Promise.all([
      outcome(change(kid, ['10.1.0.0/16'], olli.at(two.nodes[0].url))),
      outcome(change(kid, ['10.2.0.0/16'], ada.at(two.nodes[1].url))),
    ]);
    expect(outcomes.filter((result) => result === 200)).toHaveLength(1);
    expect([202, 'change-outdated']).toContain(outcomes.find((result) => result !== 200));
    const networks = await networksOf(kid);
    expect([['10.1.0.0/16'], ['10.2.0.0/16']]).toContainEqual(networks);
    expect(await lastEntry(kid)).toMatchObject({ before: ['10.0.0.0/8'], networks });
  }
  await sequenceAll(two.nodes[0].engine);
  expect(await verify(two.nodes[0].engine)).toMatchObject({ fault: null });
});

const network = fc
  .record({ last: fc.integer({ min: 0, max: 15 }), bits: fc.integer({ min: 27, max: 32 }) })
  .map(({ last, bits }) => `192.0.2.${last - (last % 2 ** (32 - bits))}/${bits}`);
const some = fc.array(network, { minLength: 1, maxLength: 4 });
const addresses = Array.from({ length: 20 }, (_, last) => `192.0.2.${last}`);

test('networks that are not wider hold no address that was not there before, and common ones only what is in both', () => {
  fc.assert(
    fc.property(some, some, (before, after) => {
      const common = commonNetworks(before, after);
      for (const address of addresses) {
        const [was, is] = [isWithin(before, address), isWithin(after, address)];
        if (!isWider(before, after)) expect(is && !was).toBe(false);
        if (common.length > 0) expect(isWithin(common, address)).toBe(was && is);
        else expect(was && is).toBe(false);
      }
    }),
  );
  expect([isWider([], ['::/0']), isWider(['::/0'], []), isWider(['::/0'], ['10.0.0.0/8'])]).toEqual([
    false,
    true,
    true,
  ]);
});
