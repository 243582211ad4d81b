import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { PolicyDetail, PolicyHistory, PolicyList } from '#policies/contract/documents';
import type { ReviewsDue } from '#policies/contract/routes';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { asWritten, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const author = await openBrowser(two.nodes[0], 'admin');
const reviewer = (await openBrowser(two.nodes[0], 'admin')).at(two.nodes[1].url);

let names = 0;
const newName = (): string => `policy-${(names += 1)}`;
const documentOf = (name: string, approve = 1): string =>
  `policy: ${name}\nmatch: { tool: none-${name} }\nrequire:\n  stages:\n    - name: One\n      approve: ${approve}\n      approvers: anyone\n`;

const answer = async (response: Response): Promise<[number, PolicyDetail]> => [
  response.status,
  await json<PolicyDetail>(response),
];
const draft = async (document: string, by = author, parts = {}): Promise<PolicyDetail> => {
  const [status, body] = await answer(await by.call('POST', '/api/policies', { document, ...parts }));
  expect([status, body]).toEqual([parts && 'version' in parts ? 200 : 201, body]);
  return body;
};
const on = ({ name, version }: Pick<PolicyDetail, 'name' | 'version'>, verb: string, by = author, body?: unknown) =>
  by.call('POST', `/api/policies/${name}/versions/${version}/${verb}`, body);
const review = (of: PolicyDetail, verdict = 'approve', by = reviewer, parts = {}): Promise<Response> =>
  on(of, 'review', by, { verdict, digest: of.digest, ...parts });
async function publish(document: string): Promise<PolicyDetail> {
  const result = await draft(document);
  for (const send of [() => on(result, 'submit'), () => review(result), () => on(result, 'publish')])
    expect((await send()).status).toBe(200);
  return result;
}
const history = (name: string): Promise<PolicyHistory> =>
  json<PolicyHistory>(author.call('GET', `/api/policies/${name}/versions`));
const refused = async (response: Response) => [
  response.status,
  ((await json<unknown>(response)) as { code: string }).code,
];

describe('P28 a version', () => {
  test('goes from draft through a second person to being published, and the log tells each step', async () => {
    const name = newName();
    const result = await draft(documentOf(name), author, { note: 'First' });
    expect(result).toMatchObject({ name, version: 1, state: 'draft', isPublished: false, note: 'First' });
    expect(result.can).toMatchObject({
      edit: { allowed: true },
      review: { allowed: false },
      publish: { allowed: false },
    });
    expect((await on(result, 'submit')).status).toBe(200);
    const [, approved] = await answer(await review(result, 'approve', reviewer, { note: 'Good' }));
    expect(approved).toMatchObject({ state: 'approved', reviewer: { id: reviewer.user.id }, publishers: [] });
    const [, published] = await answer(await on(result, 'publish'));
    const publishers = [author.user.name];
    expect(published).toMatchObject({ isPublished: true, publishedAt: expect.any(Number), publishers });
    const pin = `${name}@1`;
    const messages = await two.query(`SELECT type FROM audit_log WHERE entry->>'policy' = $1 ${asWritten}`, [pin]);
    expect(messages).toEqual(['policy.drafted', 'policy.submitted', 'policy.approved', 'policy.published']);
    const { policies } = await json<PolicyList>(author.call('GET', '/api/policies'));
    const listed = policies.find((policy) => policy.name === name);
    expect(listed).toMatchObject({ published: { version: 1 }, latest: { version: 1 }, shadow: null });
    expect(listed?.terms[0]).toMatchObject({ kind: 'applies', to: { tool: [`none-${name}`] } });
  });

  test('is reviewed by someone else than its author, in the engine and in the database', async () => {
    const result = await draft(documentOf(newName()));
    await on(result, 'submit');
    expect(await refused(await review(result, 'approve', author))).toEqual([409, 'not-now']);
    const sql = `UPDATE policy_version SET state = 'approved', reviewer_id = author_id FROM policy
      WHERE policy.id = policy_id AND name = $1`;
    await expect(runAsOwner(sql, [result.name])).rejects.toThrow(/policy_version_reviewer_check/);
  });

  test('waits for those who may review it, and for no one else', async () => {
    const someone = await openBrowser(two.nodes[0], 'reviewer');
    const { name, version, digest } = await draft(documentOf(newName()));
    const dueFor = async (by: Browser) => {
      const { versions } = await json<ReviewsDue>(by.call('GET', '/api/policies/reviews'));
      return versions.filter((due) => due.name === name);
    };
    expect(await dueFor(reviewer)).toEqual([]);
    await on({ name, version }, 'submit');
    expect(await dueFor(reviewer)).toEqual([{ name, version }]);
    expect(await dueFor(author)).toEqual([]);
    expect(await dueFor(someone)).toEqual([]);
    await on({ name, version }, 'review', reviewer, { verdict: 'approve', digest });
    expect(await dueFor(reviewer)).toEqual([]);
  });

  test('that no one reviewed is never published, in the engine and in the database', async () => {
    const result = await draft(documentOf(newName()));
    expect(await refused(await on(result, 'publish'))).toEqual([409, 'not-now']);
    await on(result, 'submit');
    expect(await refused(await on(result, 'publish', reviewer))).toEqual([409, 'not-now']);
    const sql = 'UPDATE policy SET published_version = 1 WHERE name = $1';
    await expect(runAsOwner(sql, [result.name])).rejects.toThrow(/only a reviewed version/);
  });

  test('that was rejected stays so', async () => {
    const result = await draft(documentOf(newName()));
    await on(result, 'submit');
    expect((await answer(await review(result, 'reject')))[1]).toMatchObject({ state: 'rejected' });
    expect(await refused(await review(result))).toEqual([409, 'not-now']);
    expect(await refused(await on(result, 'publish'))).toEqual([409, 'not-now']);
  });

  test('never changes once it left its draft, in the engine and in the database', async () => {
    const result = await draft(documentOf(newName()));
    const again = await draft(documentOf(result.name, 2), author, { version: 1 });
    expect(again).toMatchObject({ version: 1, document: documentOf(result.name, 2) });
    const other = { document: documentOf(result.name, 3), version: 1 };
    expect(await refused(await reviewer.call('POST', '/api/policies', other))).toEqual([409, 'not-now']);
    await on(result, 'submit');
    expect(await refused(await author.call('POST', '/api/policies', other))).toEqual([409, 'not-now']);
    const sql = `UPDATE policy_version SET document = 'x' FROM policy WHERE policy.id = policy_id AND name = $1`;
    await expect(runAsOwner(sql, [result.name])).rejects.toThrow(/never changes/);
  });

  test('is approved as it was read, or not at all', async () => {
    const result = await draft(documentOf(newName()));
    await on(result, 'submit');
    const digest = '0'.repeat(64);
    expect(await refused(await review(result, 'approve', reviewer, { digest }))).toEqual([412, 'digest-mismatch']);
  });

  test('of two reviews at the same moment, at two nodes, one counts', async () => {
    const result = await draft(documentOf(newName()));
    await on(result, 'submit');
    const third = await openBrowser(two.nodes[0], 'admin');
    const answers = await Promise.all([review(result, 'approve', third), review(result, 'reject')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('of two drafts at the same moment each gets a number of its own', async () => {
    const name = newName();
    const drafts = await Promise.all([draft(documentOf(name)), draft(documentOf(name, 2), reviewer)]);
    expect(drafts.map(({ version }) => version).sort()).toEqual([1, 2]);
  });
});

test('P28 rolling back is a new version of the older words, reviewed like any other', async () => {
  const first = await publish(documentOf(newName()));
  await publish(documentOf(first.name, 2));
  expect(await refused(await on(first, 'publish'))).toEqual([409, 'not-now']);
  const [status, restored] = await answer(await on(first, 'restore'));
  expect([status, restored]).toMatchObject([201, { version: 3, state: 'draft', document: documentOf(first.name) }]);
  expect(restored).toMatchObject({ against: 2, isPublished: false });
  await on(restored, 'submit');
  await review(restored);
  expect((await on(restored, 'publish')).status).toBe(200);
  const { versions } = await history(first.name);
  expect(versions.map(({ version, isPublished }) => [version, isPublished])).toEqual([
    [3, true],
    [2, false],
    [1, false],
  ]);
});

test('P28 a policy is retired by two persons, what is left decides then, and rolling back brings it back', async () => {
  const name = newName();
  const asking = askingAt(two.nodes[1].url, await two.nodes[0].newServerKey(name));
  const openNow = () => asking.open({ tool: { name } });
  const statusNow = async () => (await openNow()).status;
  const denying = `policy: ${name}\nmatch: { tool: ${name} }\ndeny: { reason: No. }\n`;
  const first = await publish(denying);
  const declined = await openNow();
  expect(declined.status).toBe('declined');
  await author.look(declined.id); // no one else reads what a policy has declined
  const retiring = `policy: ${name}\nretire: { reason: Replaced. }\n`;
  const tried = await author.call('POST', '/api/policies/simulate', { document: retiring, last: 1 });
  expect(await tried.json()).toMatchObject({
    totals: { requests: 1, different: 1, decided: 0 },
    requests: [{ live: { outcome: 'deny' }, draft: { outcome: 'require', policy: 'built-in@1' } }],
  });
  const result = await draft(retiring);
  await on(result, 'submit');
  expect(await refused(await review(result, 'approve', author))).toEqual([409, 'not-now']);
  await review(result);
  expect(await statusNow()).toBe('declined');
  const [, retired] = await answer(await on(result, 'publish'));
  expect(retired).toMatchObject({ isRetired: true, terms: [{ kind: 'retired', reason: 'Replaced.' }] });
  expect(await statusNow()).toBe('open');
  const [, restored] = await answer(await on(first, 'restore'));
  await on(restored, 'submit');
  await review(restored);
  await on(restored, 'publish');
  expect(await statusNow()).toBe('declined');
  expect((await history(name)).versions.map(({ isRetired }) => isRetired)).toEqual([false, false, false]);
});

test('P6 what no one could ever complete is not published, and the reason says who is missing', async () => {
  const document = documentOf(newName()).replace('approvers: anyone', 'approvers: { group: nobody-is-in-it }');
  const result = await draft(document);
  const check = await (await author.call('POST', '/api/policies/check', { document })).json();
  expect(check).toMatchObject({ ok: true, unsatisfiable: expect.stringContaining('the group nobody-is-in-it') });
  await on(result, 'submit');
  await review(result);
  const response = await on(result, 'publish');
  const problem = (await json<unknown>(response)) as { code: string; detail: string };
  expect([response.status, problem.code]).toEqual([409, 'unsatisfiable']);
  expect(problem.detail).toContain('the group nobody-is-in-it');
});

test('of several that no one could complete, each is named, and none is published', async () => {
  const names = [newName(), newName(), newName()];
  const [fine = '', ...impossible] = names.map((name, at) =>
    at === 0 ? documentOf(name) : documentOf(name).replace('approvers: anyone', `approvers: { group: absent-${at} }`),
  );
  await expect(two.nodes[0].applyPolicies([fine, ...impossible])).rejects.toMatchObject({
    code: 'unsatisfiable',
    errors: [1, 2].map((at) => ({
      path: [names[at]],
      message: expect.stringContaining(`There is no group absent-${at}.`),
    })),
  });
  const published = await two.nodes[0].exportPolicies();
  expect(published.filter(({ name }) => names.includes(name))).toEqual([]);
});

test('a person may have only so many documents checked in a minute, and no one else waits for that', async () => {
  const [eager, other] = [await openBrowser(two.nodes[0]), await openBrowser(two.nodes[0])];
  const check = (by: Browser) => by.call('POST', '/api/policies/check', { document: '---\na: 1\n'.repeat(7_000) });
  const answers = [];
  for (let count = 0; count < 61; count += 1) answers.push((await check(eager)).status);
  expect([new Set(answers.slice(0, 60)), answers[60]]).toEqual([new Set([200]), 429]);
  expect((await check(other)).status).toBe(200);
});

describe('a document', () => {
  test('that cannot be understood is refused with its place, and nothing is kept', async () => {
    const document =
      'policy: wrong\nrequire:\n  stages:\n    - name: One\n      approvers: anyone\n      onTimeout: accept\n';
    const response = await author.call('POST', '/api/policies', { document });
    const problem = (await json<unknown>(response)) as { code: string; errors: { message: string }[] };
    expect([response.status, problem.code]).toEqual([400, 'policy-invalid']);
    expect(problem.errors[0]?.message).toMatch(/^Line 6, column \d+: /);
    const check = await (await author.call('POST', '/api/policies/check', { document })).json();
    expect(check).toMatchObject({ ok: false, errors: [{ line: 6 }], terms: [], name: null });
    expect((await author.call('GET', '/api/policies/wrong/versions')).status).toBe(404);
  });

  test('is exported as it was written, and imported as a draft if it differs', async () => {
    const { name } = await publish(documentOf(newName()));
    const exported = await json<{ documents: string[] }>(author.call('GET', '/api/policies/export'));
    expect(exported.documents).toContain(documentOf(name));
    const documents = [documentOf(name), documentOf(newName())];
    const imported = await (await author.call('POST', '/api/policies/import', { documents })).json();
    expect(imported).toMatchObject({ unchanged: [name], drafts: [{ state: 'draft', version: 1 }] });
  });
});

describe('a version in shadow', () => {
  test('is one that no longer changes, and leaves the shadow when it is published', async () => {
    const result = await draft(documentOf(newName()));
    const shadow = (version: number | null) => author.call('POST', `/api/policies/${result.name}/shadow`, { version });
    expect(await refused(await shadow(1))).toEqual([409, 'not-now']);
    await on(result, 'submit');
    expect((await shadow(1)).status).toBe(200);
    expect((await history(result.name)).versions).toMatchObject([{ isShadow: true, isPublished: false }]);
    await review(result);
    await on(result, 'publish');
    expect((await history(result.name)).versions).toMatchObject([{ isShadow: false, isPublished: true }]);
  });

  test('P27 at most ten versions are in shadow mode, even if two nodes set some at once', async () => {
    const drafts = await Promise.all(Array.from({ length: 12 }, () => draft(documentOf(newName()))));
    for (const item of drafts) await on(item, 'submit');
    const nodes = [author, author.at(two.nodes[1].url)];
    const set = ({ name }: PolicyDetail, at: number, version: number | null = 1) =>
      (nodes[at % 2] as Browser).call('POST', `/api/policies/${name}/shadow`, { version });
    const answers = await Promise.all(drafts.map((item, at) => set(item, at)));
    const remaining = drafts.filter((_, at) => answers[at]?.status === 409);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const refusal = (await answers.find(({ status }) => status === 409)?.json()) as ProblemDocument | undefined;
    expect(refusal?.detail).toMatch(
      /^Stop one version in shadow mode first: (policy-\d+@1(, )?){10} are running, and 10 is the limit\.$/,
    );
    const watching = drafts.filter((item) => !remaining.includes(item));
    expect((await set(watching[0]!, 0)).status).toBe(200); // it watches already
    await set(watching[0]!, 0, null);
    expect((await set(remaining[0]!, 1)).status).toBe(200);
    for (const item of drafts) await set(item, 0, null);
  });
});

async function runAsOwner(sql: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: two.nodes[0].databaseUrl });
  await client.connect();
  await client.query(sql, values).finally(() => client.end());
}
