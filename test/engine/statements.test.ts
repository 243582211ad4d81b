import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { usualLimits } from '../../src/config/config.ts';
import { createKeyRing } from '../../src/crypto/key-ring.ts';
import { applyPolicies } from '../../src/engine/policies/apply-policies.ts';
import { castVote } from '../../src/engine/voting/cast-vote.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { openElicitation } from '../../src/engine/asking/open-elicitation.ts';
import { createRules } from '../../src/engine/rules.ts';
import { policyDefaults } from '../../src/model/policy.ts';
import type { User } from '../../src/model/user.ts';
import { accepted, question } from '../bench/question.ts';
import { watchStatements } from '../bench/statement-watch.ts';
import { openTestStore, type TestStore } from '../support/rows.ts';
import { testSecrets } from '../support/server.ts';

let store: TestStore;
let engine: Engine;
let users: User[];
beforeAll(async () => {
  store = await openTestStore();
  engine = {
    ...store,
    ring: createKeyRing(testSecrets),
    rules: createRules(store, () => {}),
    limits: usualLimits,
    environment: 'test',
    defaults: policyDefaults('test'),
    now: Date.now,
    publicUrl: () => 'http://localhost',
  } as Omit<Engine, 'feed' | 'health'> as Engine; // no news is told and no loop runs, so that every statement is a verb's own
  users = [];
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
});
afterAll(() => store?.close());

const open = (call: string): ReturnType<typeof openElicitation> =>
  openElicitation(engine, { kind: 'server', id: store.serverId, name: 'payments' }, { ...question, call });

async function count(act: () => Promise<unknown>): Promise<string[]> {
  const stop = watchStatements();
  await act();
  return stop().map(({ kind, text }) => (kind === 'other' && text.includes('FROM epoch') ? 'epoch' : kind));
}

test('a question costs two statements and a vote three, whether or not it starts a stage', async () => {
  let opened: Awaited<ReturnType<typeof open>> | undefined;
  expect(await count(async () => (opened = await open('counted')))).toEqual(['epoch', 'open']);
  for (const [at, user] of users.entries()) {
    const vote = () => castVote(engine, user, opened!.id, { ...accepted, digest: opened!.digest });
    expect([at, await count(vote)]).toEqual([at, ['read', 'epoch', 'change']]);
  }
  expect((await engine.reader.elicitation(opened!.id))?.status).toBe('accepted');
});
