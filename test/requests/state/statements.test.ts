import { afterAll, expect, test } from '@jest/globals';
import { auditEntry } from '#audit/entries/rules/entry';
import { defaultLimits } from '#platform/config/config';
import { createKeyRing } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import { applyPolicies } from '#policies/verbs/apply';
import { castVote } from '#requests/voting/verbs';
import type { Engine } from '#platform/nodes/verbs/engine';
import { openElicitation } from '#requests/asking/verbs/ask';
import { createRules } from '#policies/deciding/verbs/rules';
import { policyDefaults } from '#policies/contract/policy';
import { defaultSessions, type User } from '#people/directory/contract/user';
import { accepted, question } from '../../bench/question.ts';
import { watchStatements } from '../../bench/statement-watch.ts';
import { openTestStore } from '../../support/databases/rows.ts';
import { testSecrets } from '../../support/nodes/server.ts';
import { wholeServer } from '#people/directory/verbs/scope';

const open = (call: string): ReturnType<typeof openElicitation> =>
  openElicitation(engine, { ...wholeServer(store.serverId), kind: 'server', name: 'payments' }, { ...question, call });

const store = await openTestStore();
afterAll(() => store.close());
const engine: Engine = {
  ...store,
  ring: createKeyRing(testSecrets),
  rules: createRules(store, undefined, { onUnreadable: () => {}, onCommandsByPart: () => {} }),
  limits: defaultLimits,
  sessions: defaultSessions,
  environment: 'trial',
  defaults: policyDefaults('trial'),
  now: Date.now,
  readToken: async () => null,
  readWorkload: async () => ({ state: 'refused', why: 'workload-issuer-unknown' }),
  workloadIssuers: [],
  providers: [],
  connect: [],
  connectChosen: () => {
    throw new Error('no one chooses an issuer here');
  },
  readResource: async () => ({ issuers: [], scopes: [] }),
  outcomes: [],
  passwords: 'allowed',
  secondFactor: 'optional',
  sendsMails: false,
  witnesses: [],
  publicUrl: () => 'http://localhost',
} as Omit<Engine, 'feed' | 'health' | 'access'> as Engine; // no news is told and no loop runs, so that every statement is a verb's own
const users: User[] = [];
for (const name of ['Ada', 'Bob', 'Cleo']) {
  const id = await store.newUser();
  users.push({ kind: 'user', id, email: `${name}@example.com`, name, role: 'approver' });
}
await applyPolicies(engine, [
  `policy: two
match: { tool: ${question.tool.name} }
require: { stages: [{ name: One, approve: 2, approvers: anyone }, { name: Two, approvers: anyone }] }`,
]);
await open('warm');

async function count(act: () => Promise<unknown>): Promise<string[]> {
  const stop = watchStatements();
  await act();
  return stop().map(({ kind, text }) => (kind === 'other' && text.includes('FROM epoch') ? 'epoch' : kind));
}

test('a question costs one statement and a vote two, whether or not it starts a stage', async () => {
  let opened: Awaited<ReturnType<typeof open>> | undefined;
  expect(await count(async () => (opened = await open('counted')))).toEqual(['open']);
  for (const [at, user] of users.entries()) {
    const vote = () => castVote(engine, user, opened!.id, { ...accepted, digest: opened!.digest });
    expect([at, await count(vote)]).toEqual([at, ['read', 'change']]);
  }
  expect((await engine.reader.elicitation(opened!.id))?.status).toBe('accepted');
});

test('a vote that was decided before a stop is not stored after it', async () => {
  const [user] = users;
  const opened = await open('stopped meanwhile');
  const { transactor } = engine;
  const stopFirst: typeof transactor.change = async (change) => {
    const at = Date.now();
    const stop = { id: newId('stop'), serverId: null, tool: null, reason: 'We look into it.', stoppedBy: null, at };
    const event = { type: 'stop.made', stop: stop.id, server: null, tool: null, said: '0'.repeat(64) } as const;
    await engine.stops.make(stop, auditEntry(newId('entry'), at, { kind: 'operator' }, event));
    return transactor.change(change);
  };
  const raced = { ...engine, transactor: { ...transactor, change: stopFirst } };
  const vote = castVote(raced, user!, opened.id, { ...accepted, digest: opened.digest });
  await expect(vote).rejects.toThrowProblem('stopped');
  expect((await engine.reader.elicitation(opened.id))?.version).toBe(0);
});
