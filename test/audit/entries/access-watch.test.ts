import { expect, test } from '@jest/globals';
import type { AuditEntry } from '#audit/entries/rules/entry';
import { createAccessWatch, type Refused } from '#audit/entries/verbs';
import { newId } from '#platform/crypto/random';
import { testRing } from '../../support/audit/evidence.ts';

const by = { kind: 'stranger' } as const;
const refused: Refused = { type: 'access.refused', what: 'unauthenticated', by, about: [], address: '192.0.2.7' };

function watched(append: (entry: AuditEntry) => Promise<void>) {
  const lines: object[] = [];
  const watch = createAccessWatch({
    accessLog: { append, appendUnless: async () => {} },
    reader: { elicitation: async () => null },
    ring: testRing,
    now: () => 1000,
    warn: (line) => void lines.push(line),
  });
  return { watch, lines };
}

test('each entry of a refusal is a line with the address in clear, which the entry does not have', async () => {
  const entries: AuditEntry[] = [];
  const { watch, lines } = watched(async (entry) => void entries.push(entry));
  await watch.recordRefusal(refused);
  await watch.recordRefusal(refused);
  await watch.flush(Infinity);
  expect(lines).toMatchObject([
    { entry: entries[0]?.id, address: '192.0.2.7', count: 1 },
    { entry: entries[1]?.id, address: '192.0.2.7', count: 1 },
  ]);
  expect(JSON.stringify(entries)).not.toContain('192.0.2.7');
});

test('a log that takes nothing stops no refusal, and gives nothing out', async () => {
  const { watch, lines } = watched(() => Promise.reject(new TypeError('the database is away')));
  await watch.recordRefusal(refused);
  expect(lines).toMatchObject([{ entry: null, address: '192.0.2.7' }]);
  const user = { kind: 'user', id: newId('user') } as const;
  const read = { type: 'access.read', what: 'request', by: user, about: [newId('elicitation')] } as const;
  await expect(watch.recordAccess(read)).rejects.toThrow('away');
  await expect(watch.recordAccess(read)).rejects.toThrow('away');
});

test('an export is a line, a reading is not', async () => {
  const { watch, lines } = watched(async () => {});
  const user = { kind: 'user', id: newId('user') } as const;
  await watch.recordAccess({ type: 'access.read', what: 'request', by: user, about: [] });
  await watch.recordAccess({ type: 'access.exported', what: 'log', by: user, about: [] });
  expect(lines).toMatchObject([{ type: 'access.exported', what: 'log', by: user }]);
});
