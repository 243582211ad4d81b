import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { readEntry, type StoredEvent } from '#audit/entries/rules/entry';
import type { ErasedRequest, HoldList } from '#keeping/content/contract';
import type { ProblemDocument } from '#platform/http/contract/problem';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { ElicitationId } from '#platform/model/id';
import { eraseOutlived } from '#keeping/content/verbs/erase';
import { applyPolicies } from '#policies/verbs/apply';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { openBrowser, signInAnew, type Browser } from '../../support/nodes/console.ts';
import { dumpDatabase } from '../../support/databases/database-dump.ts';
import { sequenceAll, verify } from '../../support/nodes/log.ts';
import { readExport } from '../../support/audit/read-export.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

let now = Date.parse('2026-08-03T08:00:00Z');
let ada: Browser;
let ben: Browser;
let eve: Browser;
let reviewer: Browser;
const sessions = { idle: 1e12, longest: 1e12 };
const server = await startTestServer({ environment: 'production', now: () => now, sessions });
const [asking, other] = [
  askingAt(server.url, await server.newServerKey()),
  askingAt(server.url, await server.newServerKey('other')),
];
const database = new pg.Client({ connectionString: server.databaseUrl });
afterAll(async () => {
  await database.end();
  await server.stop();
});
await database.connect();
beforeEach(async () => {
  [ada, ben] = [await openBrowser(server, 'admin', 'password'), await openBrowser(server, 'admin', 'password')];
  [eve, reviewer] = [await openBrowser(server), await openBrowser(server, 'reviewer')];
});

/** The answer can no longer be fetched. */
const later = 7_200_000;
const day = 86_400_000;

interface Said {
  canary: string;
  subject?: string;
  tool?: string;
  from?: Asking;
}

/** So much time passes, and the administrators sign in again. */
async function wait(ms: number): Promise<void> {
  now += ms;
  [ada, ben] = [await signInAnew(server, ada), await signInAnew(server, ben)];
}

/** A request in which everyone says the canary, decided and long over. */
async function over({
  canary,
  subject = `${canary}@example.com`,
  tool = 'say',
  from = asking,
}: Said): Promise<OpenedElicitation> {
  const opened = await from.open({
    tool: { name: tool },
    message: `${canary} message`,
    arguments: { note: `${canary} argument` },
    requester: { subject },
    session: `${canary} session`,
    reason: `${canary} reason`,
  });
  const { digest } = opened;
  const act = (verb: string, body: object) => eve.call('POST', `/api/elicitations/${opened.id}/${verb}`, body);
  expect((await act('comments', { text: `${canary} remark` })).status).toBe(200);
  expect((await act('vote', { action: 'decline', comment: `${canary} comment`, digest })).status).toBe(200);
  await wait(later);
  return opened;
}

const erase = (by: Browser, id: string, body: object = { of: 'request', ground: 'asked' }) =>
  by.call('POST', `/api/elicitations/${id}/erase`, body);

async function waiting(response: Response): Promise<string> {
  const body = await json<{ request: string }>(response);
  expect([response.status, body]).toEqual([202, { request: expect.any(String), sentence: expect.any(String) }]);
  return body.request;
}

async function agree(by: Browser, id: string): Promise<void> {
  const { digest } = await by.show(id);
  expect((await by.call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', digest })).status).toBe(200);
}

/** Two administrators decide it. */
const eraseByTwo = async (id: string, body?: object) => agree(ben, await waiting(await erase(ada, id, body)));
const holdByTwo = async (body: object) => agree(ben, await waiting(await ada.call('POST', '/api/holds', body)));

async function refusal(response: Response): Promise<unknown> {
  const { code, refusal: why } = await json<ProblemDocument>(response);
  return why?.code ?? code;
}

const isErased = async (id: string) => (await server.engine.reader.elicitation(id as ElicitationId))?.dataKey === null;

async function entriesOf(type: string): Promise<StoredEvent[]> {
  const { rows } = await database.query<{ body: Buffer }>('SELECT body FROM audit_entry WHERE type = $1 ORDER BY seq', [
    type,
  ]);
  return rows.map(({ body }) => readEntry(body));
}

async function keyOf(id: string): Promise<{ data_key: Buffer; owner: Buffer }> {
  const { rows } = await database.query<{ data_key: Buffer; owner: Buffer }>(
    'SELECT data_key, owner FROM elicitation WHERE id = $1',
    [id],
  );
  return rows[0] ?? { data_key: Buffer.of(), owner: Buffer.of() };
}

describe('erased content', () => {
  test('is in no table, page, list or export, and neither is its key', async () => {
    const { id } = await over({ canary: 'wombat' });
    const { data_key: key, owner } = await keyOf(id);
    const holds = async (bytes: Buffer) => (await dumpDatabase(server.databaseUrl)).includes(bytes.toString('hex'));
    expect([await holds(key), await holds(owner)]).toEqual([true, true]);
    await eraseByTwo(id);
    expect([await holds(key), await holds(owner)]).toEqual([false, false]);
    const pages = [
      `/api/elicitations/${id}`,
      `/api/elicitations/${id}/erased`,
      '/api/elicitations?view=done',
      '/api/audit/reports/approvals/csv?from=0&to=4000000000000',
    ];
    const shown = await Promise.all(
      [ada, eve, reviewer].flatMap((by) => pages.map(async (page) => (await by.call('GET', page)).text())),
    );
    await sequenceAll(server.engine);
    shown.push(JSON.stringify(await readExport(server.engine)), await dumpDatabase(server.databaseUrl));
    expect(shown.filter((text) => text.includes('wombat'))).toEqual([]);
  });

  test('leaves the request, who decided it, and who erased it', async () => {
    const { id, digest } = await over({ canary: 'erased' });
    await eraseByTwo(id);
    for (const by of [ada, eve, reviewer]) {
      const shown = await json<ErasedRequest>(by.call('GET', `/api/elicitations/${id}/erased`));
      expect(shown).toMatchObject({
        status: 'declined',
        digest,
        server: 'payments',
        erased: { at: now, by: { kind: 'user', name: ada.user.name }, with: [ben.user.name], ground: 'asked' },
        votes: [{ by: eve.user.name, action: 'decline', comment: null }],
      });
      expect(shown.timeline.at(-1)?.event).toEqual({ type: 'content.erased', ground: 'asked' });
      expect((await by.call('GET', `/api/elicitations/${id}`)).status).toBe(410);
    }
    const response = await asking.call('GET', `/v1/elicitations/${id}`);
    expect(await response.json()).toMatchObject({ status: 'declined', comment: null });
    expect(await entriesOf('content.erased')).toContainEqual(
      expect.objectContaining({
        elicitation: id,
        actor: { kind: 'user', id: ada.user.id, agreed: { with: [ben.user.id], request: expect.any(String) } },
      }),
    );
  });

  test('leaves a log that verifies, a receipt, and a state that follows from the log', async () => {
    const { id } = await over({ canary: 'proven' });
    await sequenceAll(server.engine);
    const receipt = async () => (await eve.call('GET', `/api/elicitations/${id}/receipt`)).text();
    const index = (text: string) => /^extra .*\nindex \d+$/m.exec(text)?.[0];
    const before = index(await receipt());
    await eraseByTwo(id);
    await sequenceAll(server.engine);
    expect(index(await receipt())).toBe(before);
    expect(await verify(server.engine, {}, server.engine.ring)).toMatchObject({ fault: null });
  });

  test('is found by verification if it was erased or brought back without the server', async () => {
    const [gone, back] = [await over({ canary: 'gone' }), await over({ canary: 'back' })];
    const { data_key: key, owner } = await keyOf(back.id);
    await eraseByTwo(back.id);
    await sequenceAll(server.engine);
    const faultAfter = async (sql: string, values: unknown[]) => {
      await database.query(sql, values);
      return verify(server.engine, {}, server.engine.ring);
    };
    const put = 'UPDATE elicitation SET data_key = $2, owner = $3 WHERE id = $1';
    const restored = await faultAfter(put, [back.id, key, owner]);
    expect(JSON.stringify(restored)).toContain(`${back.id} is back`);
    await faultAfter(put, [back.id, null, '']);
    const kept = await keyOf(gone.id);
    const destroyed = await faultAfter(put, [gone.id, null, '']);
    expect(JSON.stringify(destroyed)).toContain(`${gone.id} does not open`);
    expect(await faultAfter(put, [gone.id, kept.data_key, kept.owner])).toMatchObject({ fault: null });
  });

  test('is everything of one requester at every server, and nothing of anyone else', async () => {
    const subject = 'quokka@example.com';
    const theirs = [
      await over({ canary: 'one', subject }),
      await over({ canary: 'two', subject: 'Quokka@example.com' }),
      await over({ canary: 'three', subject, from: other }),
    ];
    const foreign = await over({ canary: 'four', subject: 'numbat@example.com' });
    await eraseByTwo(theirs[0]?.id ?? '', { of: 'requester', ground: 'law' });
    expect(await Promise.all([...theirs, foreign].map(({ id }) => isErased(id)))).toEqual([true, true, true, false]);
  });
});

describe('content is not erased', () => {
  test('by one administrator alone, or by anyone else', async () => {
    const { id } = await over({ canary: 'alone' });
    const request = await waiting(await erase(ada, id));
    expect(await isErased(id)).toBe(false);
    const { digest } = await ada.show(request);
    const own = await ada.call('POST', `/api/elicitations/${request}/vote`, { action: 'accept', digest });
    expect(await refusal(own)).toBe('is-requester');
    for (const by of [eve, reviewer]) expect(await refusal(await erase(by, id))).toBe('administrators-only');
    const decline = { action: 'decline', comment: 'No.', digest };
    expect((await ben.call('POST', `/api/elicitations/${request}/vote`, decline)).status).toBe(200);
    expect(await isErased(id)).toBe(false);
  });

  test('while something needs it, and never twice', async () => {
    const { id } = await asking.open();
    expect(await refusal(await erase(ada, id))).toBe('content-needed');
    const { digest } = await eve.show(id);
    await eve.call('POST', `/api/elicitations/${id}/vote`, { action: 'decline', comment: 'No.', digest });
    expect(await refusal(await erase(ada, id))).toBe('content-needed');
    await wait(later);
    await eraseByTwo(id);
    expect(await refusal(await erase(ada, id))).toBe('nothing-to-erase');
  });

  const hold = { reason: 'Case 2026-14' };
  test.each<[string, (id: string) => object]>([
    ['the request', (request) => ({ ...hold, scope: 'request', request })],
    ['everything of its requester', (request) => ({ ...hold, scope: 'requester', request })],
    ['its server', () => ({ ...hold, scope: 'server', server: 'payments' })],
    ['everything', () => ({ ...hold, scope: 'everything' })],
  ])('while a hold keeps %s, which two people place and two release', async (_what, holdOn) => {
    const { id } = await over({ canary: 'held' });
    const [before] = await heldBy(ada);
    expect(before).toBeUndefined();
    const waits = await waiting(await erase(ada, id));
    await holdByTwo(holdOn(id));
    expect(await refusal(await erase(ada, id))).toBe('content-held');
    await agree(ben, waits); // two people agreed before the hold, and one of them is late
    expect(await isErased(id)).toBe(false);
    const [placed] = await heldBy(reviewer);
    expect(placed).toMatchObject({
      reason: hold.reason,
      placed: { by: [ada.user.name, ben.user.name] },
      released: null,
    });
    const release = await waiting(await ada.call('POST', `/api/holds/${placed?.id}/release`));
    expect(await refusal(await erase(ada, id))).toBe('content-held');
    await agree(ben, release);
    expect(await refusal(await ada.call('POST', `/api/holds/${placed?.id}/release`))).toBe('hold-released');
    await eraseByTwo(id);
    expect(await isErased(id)).toBe(true);
  });

  async function heldBy(by: Browser): Promise<HoldList['holds']> {
    const { holds } = await json<HoldList>(by.call('GET', '/api/holds'));
    return holds.filter(({ released }) => released === null);
  }

  test('while a hold was changed or removed in the database', async () => {
    const { id } = await over({ canary: 'forged' });
    await holdByTwo({ ...hold, scope: 'request', request: id });
    const [placed] = await heldBy(ada);
    const asSuperuser = async (sql: string) => {
      await database.query('SET session_replication_role = replica');
      await database.query(sql, [placed?.id]);
      await database.query('SET session_replication_role = DEFAULT');
    };
    await asSuperuser(`UPDATE hold SET reason = 'Another one' WHERE id = $1`);
    const unrelated = await over({ canary: 'unrelated' });
    for (const content of [id, unrelated.id]) expect(await refusal(await erase(ada, content))).toBe('content-held');
    await asSuperuser('DELETE FROM hold WHERE id = $1');
    expect(await refusal(await erase(ada, id))).toBe('content-held');
    await asSuperuser(`INSERT INTO hold (id, reason) VALUES ($1, '${hold.reason}')`);
    await agree(ben, await waiting(await ada.call('POST', `/api/holds/${placed?.id}/release`)));
  });

  test('in the console, where a hold that one administrator asked for only waits; the operator erases alone', async () => {
    const { id } = await over({ canary: 'operator' });
    await waiting(await ada.call('POST', '/api/holds', { ...hold, scope: 'request', request: id }));
    for (const by of [eve, reviewer]) {
      expect(await refusal(await by.call('POST', '/api/holds', { ...hold, scope: 'everything' }))).toBe(
        'administrators-only',
      );
    }
    expect((await eve.call('GET', '/api/holds')).status).toBe(403);
    expect(await server.eraseContent({ request: id as ElicitationId, of: 'request', ground: 'mistake' })).toMatchObject(
      {
        erased: 1,
      },
    );
    expect((await entriesOf('content.erased')).at(-1)).toMatchObject({
      actor: { kind: 'operator' },
      ground: 'mistake',
    });
  });
});

describe('content whose time is over', () => {
  const keep = (name: string, time: string | null, tool = name) =>
    applyPolicies(server.engine, [
      `policy: ${name}\nmatch: { tool: ${tool} }\n${time === null ? '' : `keep: ${time}\n`}require: { stages: [{ name: One, approvers: anyone }] }`,
    ]);
  const outlive = async (): Promise<boolean[]> => {
    await eraseOutlived(server.engine);
    return Promise.all(requests.map(isErased));
  };
  let requests: string[] = [];

  test('is erased as its policy says now, and is an entry of the policy', async () => {
    await keep('short', '7d');
    await keep('long', null);
    requests = [
      (await over({ canary: 'brief', tool: 'short' })).id,
      (await over({ canary: 'lasting', tool: 'long' })).id,
      (await over({ canary: 'plain' })).id,
    ];
    await wait(6 * day);
    expect(await outlive()).toEqual([false, false, false]);
    await wait(day);
    expect(await outlive()).toEqual([true, false, false]);
    expect((await entriesOf('content.erased')).at(-1)).toMatchObject({
      elicitation: requests[0],
      actor: { kind: 'policy', policy: 'short@1' },
      ground: 'policy',
    });
    await keep('long', '30d');
    expect(await outlive()).toEqual([true, false, false]);
    await wait(30 * day);
    expect(await outlive()).toEqual([true, true, false]);
  });

  test('stays while a hold keeps it', async () => {
    await keep('brief', '1d');
    requests = [(await over({ canary: 'kept', tool: 'brief' })).id];
    const { id } = await server.placeHold({
      scope: 'server',
      request: null,
      server: 'payments',
      reason: 'Case 2026-15',
    });
    await wait(2 * day);
    expect(await outlive()).toEqual([false]);
    await server.releaseHold(id);
    expect(await outlive()).toEqual([true]);
  });

  test('stays if its policy changes while it is erased', async () => {
    await keep('moved', '1d');
    requests = [(await over({ canary: 'moved', tool: 'moved' })).id];
    await wait(2 * day);
    const { contents } = server.engine;
    const raced: typeof contents = {
      ...contents,
      async erase(...erasure) {
        await keep('moved', '60d');
        return contents.erase(...erasure);
      },
    };
    await expect(eraseOutlived({ ...server.engine, contents: raced })).rejects.toMatchObject({
      code: 'write-conflict',
    });
    expect(await outlive()).toEqual([false]);
  });
});
