import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { auditEntry, entryBody } from '#audit/entries/rules/entry';
import type { ExportedEntry } from '#audit/exports/rules/file';
import { createDeliver } from '#audit/streams/loops';
import { certificate } from '../../notify/certificate.ts';
import { openReceiver, type Receiver } from '../../notify/receiver.ts';

let receiver: Receiver;
beforeAll(async () => void (receiver = await openReceiver()));
afterAll(() => receiver.stop());

const entryNamed = (id: string, name: string): ExportedEntry => {
  const entry = auditEntry(id, 0, { kind: 'operator' }, { type: 'user.signed-out', user: 'usr_ada' } as never);
  return {
    index: 7,
    body: entryBody(entry, {}),
    proof: [],
    server: null,
    tool: null,
    names: new Map([['usr_ada', name]]),
  };
};

test('a batch at the same places has another id if it has other entries, and the same one if only a name has changed', async () => {
  const ways = { streams: [], secret: `whsec_${randomBytes(32).toString('base64')}`, tls: { ca: certificate.cert } };
  const stream = { name: 'lake', format: 'ocsf', url: receiver.url } as const;
  const deliver = createDeliver({ now: () => Date.now(), publicUrl: () => 'https://example.com' }, stream, ways);
  for (const entry of [entryNamed('aud_1', 'Ada'), entryNamed('aud_1', 'Ada L.'), entryNamed('aud_2', 'Ada')])
    expect(await deliver({ origin: 'assentry/1', from: 7, to: 8, entries: [entry] })).toBeNull();
  const [first, renamed, other] = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(renamed).toBe(first);
  expect(other).not.toBe(first);
});
