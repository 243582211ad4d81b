import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { MintedToken } from '#requests/pages/contract';
import { kidOfBox } from '#platform/crypto/key-ring';
import { applyPolicies } from '#policies/verbs/apply';
import { changeUser } from '#people/users/verbs';
import type { UserId } from '#platform/model/id';
import { startFakeSlack, type FakeSlack } from '../notify/chat/fake-slack.ts';
import { openMailBox, type MailBox } from '../notify/mail-box.ts';
import { openPushBrowser, type PushBrowser } from '../notify/push-browser.ts';
import { openReceiver, reach, type Receiver } from '../notify/receiver.ts';
import { askingAt, question, type Asking } from '../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../support/nodes/console.ts';
import { freshDatabase, type FreshDatabase } from '../support/databases/database.ts';
import { dumpDatabase } from '../support/databases/database-dump.ts';
import { spawnNode, type NodeProcess } from '../support/nodes/node-process.ts';
import { until } from '../support/poll.ts';
import { startTestServer, type TestServer } from '../support/nodes/server.ts';
import { digestTables } from '../support/databases/table-contents.ts';
import { letIn, newVisitor } from '../support/nodes/visitor.ts';
import { json } from '../support/json.ts';

/** A word that occurs nowhere else, and that JSON may write in several ways. */
const word = (name: string): string => `${name}-${randomBytes(6).toString('hex')}-é"`;

const canaries = {
  message: word('message'),
  argumentName: word('argument'),
  argumentValue: word('value'),
  field: `field_${randomBytes(6).toString('hex')}`,
  title: word('title'),
  choice: word('choice'),
  answer: word('answer'),
  comment: word('comment'),
  withdrawal: word('withdrawal'),
  reason: word('reason'),
  url: `https://url-${randomBytes(6).toString('hex')}.example.com/a`,
  session: word('session'),
  subject: `subject-${randomBytes(6).toString('hex')}`,
  client: word('client'),
  call: word('call'),
  toolTitle: word('tool title'),
  description: word('description'),
  result: word('result'),
  remark: word('remark'),
  inquiry: word('inquiry'),
  reply: word('reply'),
  edited: word('edited'),
  breakGlass: word('break-glass'),
  finding: word('finding'),
  look: word('look'),
  passed: word('passed'),
  passedLook: word('passed look'),
  page: word('page'),
  hold: word('hold'),
  stop: word('stop'),
  note: word('note'),
};
type Canary = keyof typeof canaries;

/** These words of administrators, and what a client calls itself, are kept readable; they too leave Assentry by no line, number or notification. */
const readable: Canary[] = ['hold', 'stop', 'note', 'client'];

/** How a word may stand in a text: itself, as JSON writes it, in an address, in bytes at any offset, or as a plain hash. */
function forms(text: string): string[] {
  const bytes = Buffer.from(text);
  const core = text.replace(/[^a-z0-9]+$/i, '').replace(/-é$/, '');
  const shifted = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  );
  const hashes = ['sha256', 'sha1', 'md5'].map((name) => createHash(name).update(text).digest());
  const ascii = JSON.stringify(text).slice(1, -1).replaceAll('é', '\\u00e9');
  return [
    text,
    core,
    JSON.stringify(text).slice(1, -1),
    ascii,
    encodeURIComponent(text),
    bytes.toString('latin1'),
    bytes.toString('hex'),
    ...shifted,
    ...shifted.map((name) => name.replaceAll('+', '-').replaceAll('/', '_')),
    ...hashes.flatMap((hash) => [hash.toString('hex'), hash.toString('base64')]),
  ];
}

const canariesIn = (haystack: string): Canary[] =>
  (Object.keys(canaries) as Canary[]).filter((name) => forms(canaries[name]).some((form) => haystack.includes(form)));

const form = {
  type: 'object',
  properties: {
    [canaries.field]: { type: 'string', title: canaries.title },
    choice: { type: 'string', enum: [canaries.choice, 'other'] },
  },
};

const request = {
  message: canaries.message,
  reason: canaries.reason,
  session: canaries.session,
  schema: form,
  arguments: { [canaries.argumentName]: canaries.argumentValue },
  requester: {
    subject: canaries.subject,
    client: { name: canaries.client },
  },
  tool: {
    name: 'plain_tool_name',
    title: canaries.toolTitle,
    description: canaries.description,
  },
};
const content = { [canaries.field]: canaries.answer, choice: canaries.choice };

/** promise 6, CR-05 */
describe('what people and tools said', () => {
  const metricsToken = randomBytes(24).toString('hex');
  let server: TestServer;
  let node: NodeProcess;
  let asking: Asking;
  let browser: Browser;
  let box: MailBox;
  let receiver: Receiver;
  let slack: FakeSlack;
  let phone: PushBrowser;
  beforeAll(async () => {
    [box, receiver, slack] = [await openMailBox(), await openReceiver(), await startFakeSlack()];
    const ways = { smtp: box.settings, webhooks: reach, slack: slack.config };
    server = await startTestServer(ways);
    node = await spawnNode(server.databaseUrl, { logLevel: 'debug', metricsToken, ...ways });
    asking = askingAt(node.url, await server.newServerKey());
    browser = (await openBrowser(server)).at(node.url);
    phone = await openPushBrowser(receiver, browser);
    await server.webhooks.add(new URL('/hook', receiver.url).href);
    await server.webhooks.add(new URL('/chat', receiver.url).href, { format: 'chat' });
  });
  afterAll(async () => {
    await node?.stop();
    await server?.stop();
    await Promise.all([box?.stop(), receiver?.stop(), slack?.stop()]);
  });

  async function decide(verb: string, { id, digest }: OpenedElicitation, body: object): Promise<void> {
    const response = await browser.call('POST', `/api/elicitations/${id}/${verb}`, { ...body, digest });
    expect([response.status, await response.json()]).toMatchObject([200, { id }]);
  }

  test('is in no table, line of the log, metric or notification, in whatever form', async () => {
    const voted = await asking.open({ ...request, call: canaries.call });
    await decide('vote', voted, { action: 'accept', content, comment: canaries.comment });
    await asking.claim(voted.toolCall, 'a', request);
    const ending = { attempt: 'a', delivered: false, result: { text: canaries.result } };
    await asking.call('POST', `/v1/tool-calls/${voted.toolCall}/complete`, ending);
    await decide('cancel', await asking.open(request), { comment: canaries.withdrawal });
    await decide('vote', await asking.open(request), { action: 'decline', comment: canaries.comment });
    const relayed = await asking.open({ ...request, audience: 'requester' });
    const answer = { action: 'accept', content };
    expect((await asking.call('POST', `/v1/elicitations/${relayed.id}/answer`, answer)).status).toBe(200);
    const away = { ...request, schema: undefined, mode: 'url', url: canaries.url, audience: 'requester' };
    const { id } = await asking.open(away);
    await asking.call('POST', `/v1/elicitations/${id}/cancel`, {});
    await asking.open({ ...request, audience: 'requester', supersede: 'session' });
    await passUnasked();
    await answerOnPage();
    await deliberate();
    await administer();
    await until(isQuiet);
    box.refuse(550, 1);
    receiver.answer(500, 2);
    slack.refuse('chat.postMessage', { ok: false, error: 'ratelimited' });
    await asking.open(request);
    await provokeErrors(voted);
    await until(isQuiet);

    const dump = await dumpDatabase(server.databaseUrl);
    expect(dump).toContain('plain_tool_name');
    expect(canariesIn(dump).filter((name) => !readable.includes(name))).toEqual([]);
    const log = node.log();
    expect(log).toContain('request refused');
    expect(log).toContain('request failed');
    expect(canariesIn(log)).toEqual([]);
    expect(log).not.toContain(asking.key);
    expect(log).not.toContain(browser.cookie.split('=')[1]);
    const numbers = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
    const metrics = await numbers.text();
    expect(metrics).toContain('assentry_');
    expect(canariesIn(metrics)).toEqual([]);
    const mails = box.received.map(({ source }) => source);
    const calls = receiver.received.map(({ path, headers, body }) => JSON.stringify([path, headers, body]));
    const pushes = (await phone.read()).map((message) => JSON.stringify(message));
    const posts = [slack.heard()];
    for (const texts of [mails, calls, pushes, posts]) {
      expect(texts.join()).toContain('plain_tool_name');
      expect(canariesIn(texts.join('\n'))).toEqual([]);
    }
  });

  test('is found by this search wherever it is readable', () => {
    const shown = Buffer.from(`x${canaries.message}`).toString('base64');
    expect(canariesIn(JSON.stringify({ [canaries.field]: canaries.answer }))).toEqual(['field', 'answer']);
    expect(canariesIn(Buffer.from(canaries.subject).toString('hex'))).toEqual(['subject']);
    expect(canariesIn(shown)).toEqual(['message']);
    expect(canariesIn(createHash('sha256').update(canaries.session).digest('hex'))).toEqual(['session']);
  });

  /** Everything people write next to their votes. */
  async function deliberate(): Promise<void> {
    await applyPolicies(server.engine, [
      `policy: edited\nmatch: { tool: plain_tool_name }\nrequire: { chat: { to: "#ops" }, editable: { note: { type: string } }, stages: [{ name: One, approvers: anyone }] }`,
    ]);
    const opened = await asking.open({ ...request, session: undefined });
    await act(opened.id, 'comments', { text: canaries.remark });
    const { digest } = opened;
    const schema = { type: 'object', properties: { [canaries.field]: { type: 'string' } } };
    const inquired = await act(opened.id, 'inquiry', { digest, message: canaries.inquiry, schema });
    const reply = { inquiry: inquired.inquiry, action: 'accept', content: { [canaries.field]: canaries.reply } };
    expect((await asking.call('POST', `/v1/elicitations/${opened.id}/information`, reply)).status).toBe(200);
    const edited = await act(opened.id, 'edit', { digest, arguments: { note: canaries.edited } });
    const breaker = await server.newUser();
    await changeUser(server.engine, 'operator', breaker.id as UserId, { mayBreakGlass: true });
    const emergency = { digest: edited.digest, reason: canaries.breakGlass, content };
    expect((await breaker.call('POST', `/api/elicitations/${opened.id}/break-glass`, emergency)).status).toBe(200);
    const reviewer = await openBrowser(server, 'reviewer');
    const looked = await reviewer.call('POST', `/api/elicitations/${opened.id}/look`, { reason: canaries.look });
    expect(looked.status).toBe(200);
    const review = { isJustified: true, finding: canaries.finding };
    const path = `/api/elicitations/${opened.id}/break-glass/review`;
    expect((await reviewer.call('POST', path, review)).status).toBe(200);
  }

  /** A call that a policy lets pass, whose arguments a reviewer reads. */
  async function passUnasked(): Promise<void> {
    const text = JSON.stringify({ path: canaries.passed });
    const ran = { id: 'ab'.repeat(16), policy: 'a@1', run: 'cd'.repeat(32), arguments: text, length: text.length };
    const { tool, requester } = request;
    const reported = await asking.call('POST', '/v1/passes', { passes: [{ tool, requester, ran: [ran] }] });
    expect(reported.status).toBe(200);
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ id: string }>('SELECT id FROM passed_call').finally(() => client.end());
    const reviewer = (await openBrowser(server, 'reviewer')).at(node.url);
    const path = `/api/passed-calls/${rows[0]?.id}/read`;
    expect(await json(reviewer.call('POST', path, { reason: canaries.passedLook }))).toMatchObject({ arguments: text });
  }

  /** As the requester, on the page that needs no script. */
  async function answerOnPage(): Promise<void> {
    const opened = await asking.open({ ...request, mode: 'url', audience: 'requester' });
    const purpose = { session: request.session, purpose: 'page', elicitation: opened.id };
    const minted = await asking.call('POST', '/v1/tokens', purpose);
    const { pageUrl, code } = await json<MintedToken>(minted);
    const page = pageUrl ?? '';
    const visitor = newVisitor();
    await letIn(visitor, page, code ?? '');
    const sent = await visitor.send(page, {
      action: 'accept',
      [canaries.field]: canaries.page,
      choice: canaries.choice,
    });
    expect(sent.status).toBe(200);
  }

  /** What administrators write. */
  async function administer(): Promise<void> {
    const [admin, second] = [
      await openBrowser(server, 'admin', 'password'),
      await openBrowser(server, 'admin', 'password'),
    ];
    const ask = async (by: Browser, path: string, body: object): Promise<Record<string, unknown>> => {
      const response = await by.at(node.url).call('POST', path, body);
      expect([path, response.ok]).toEqual([path, true]);
      return await json<Record<string, unknown>>(response);
    };
    await ask(admin, '/api/holds', { scope: 'request', request: (await asking.open()).id, reason: canaries.hold });
    await ask(admin, '/api/stops', { tool: 'stopped', reason: canaries.stop });
    const document = 'policy: noted\nmatch: { tool: noted }\ndeny: { reason: Never. }\n';
    const { version, digest } = await ask(admin, '/api/policies', { document });
    await ask(admin, `/api/policies/noted/versions/${String(version)}/submit`, {});
    const review = { verdict: 'approve', digest, note: canaries.note };
    await ask(second, `/api/policies/noted/versions/${String(version)}/review`, review);
  }

  /** Whether everyone has been told what there is to tell; what failed waits for its next attempt. */
  async function isQuiet(): Promise<boolean> {
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ isQuiet: boolean }>(`
      SELECT (SELECT place FROM outbox_reader) = (SELECT place FROM outbox_head)
        AND NOT EXISTS (SELECT FROM notification WHERE state = 'due' AND failures = 0)
        AND NOT EXISTS (SELECT FROM chat_message WHERE shown < wanted AND failures = 0) AS "isQuiet"`);
    await client.end();
    return rows[0]?.isQuiet === true;
  }

  async function act(id: string, verb: string, body: object): Promise<ElicitationDetail> {
    const response = await browser.call('POST', `/api/elicitations/${id}/${verb}`, body);
    expect([verb, response.status]).toEqual([verb, 200]);
    return await json<ElicitationDetail>(response);
  }

  /** What goes wrong is logged, and must not carry along what it went wrong with. */
  async function provokeErrors(voted: OpenedElicitation): Promise<void> {
    await asking.call('POST', '/v1/elicitations', { ...request, [canaries.message]: 1 });
    await asking.call('POST', '/v1/elicitations', { ...request, schema: { [canaries.title]: canaries.choice } });
    await asking.call('POST', '/v1/elicitations', { ...request, message: 'other', call: canaries.call });
    await browser.call('POST', `/api/elicitations/${voted.id}/vote`, { comment: canaries.comment });
    await browser.call('GET', `/api/elicitations?tool=${encodeURIComponent(canaries.message)}&order=x`);
    const broken = await asking.open(request);
    await tamper(
      server.databaseUrl,
      `UPDATE elicitation SET data_key = set_byte(data_key, 40, get_byte(data_key, 40) # 1) WHERE id = $1`,
      [broken.id],
    );
    const { digest } = broken;
    const vote = { action: 'accept', content, comment: canaries.comment, digest };
    expect((await browser.call('POST', `/api/elicitations/${broken.id}/vote`, vote)).status).toBe(500);
    expect((await browser.call('GET', `/api/elicitations/${broken.id}`)).status).toBe(500);
  }
});

describe('what was changed in the database', () => {
  let server: TestServer;
  let asking: Asking;
  let browser: Browser;
  beforeAll(async () => {
    server = await startTestServer();
    asking = askingAt(server.url, await server.newServerKey());
    browser = await openBrowser(server);
  });
  afterAll(() => server?.stop());

  const vote = ({ id, digest }: OpenedElicitation) => browser.vote({ id, digest }, { comment: 'yes' });
  const claim = ({ toolCall }: OpenedElicitation, attempt: string) => asking.claim(toolCall, attempt);

  async function closeWithResult(): Promise<OpenedElicitation> {
    const opened = await asking.open();
    expect((await vote(opened)).status).toBe(200);
    await claim(opened, 'a');
    const ending = { attempt: 'a', delivered: false, result: { text: 'done' } };
    await asking.call('POST', `/v1/tool-calls/${opened.toolCall}/complete`, ending);
    return opened;
  }

  const flip = (column: string, at: string): string => `set_byte(${column}, ${at}, get_byte(${column}, ${at}) # 1)`;
  const show = ({ id }: OpenedElicitation) => browser.call('GET', `/api/elicitations/${id}`);
  const read = ({ id }: OpenedElicitation) => asking.call('GET', `/v1/elicitations/${id}`);

  async function expectClosed(responses: Response[]): Promise<void> {
    for (const response of responses) {
      // What its latest entry does not name is no row; the keys of one that it names may be gone.
      const { code, errorId } = await json<{ code: string; errorId: string }>(response);
      expect(['409 unproven', '500 sealed-unreadable']).toContain(`${response.status} ${code}`);
      expect(errorId).toMatch(/^err_[0-9a-f]{16}$/);
    }
  }

  const places = ['0', '1', '3', '%/2', '%-1'];
  const spots = (column: string): string[] => places.map((at) => at.replace('%', `octet_length(${column})`));

  test.each(['payload', 'data_key', 'owner'].flatMap((column) => spots(column).map((at) => [column, at] as const)))(
    'a flipped bit in %s at %s of an open question lets nothing through, and nothing is changed',
    async (column, at) => {
      const opened = await asking.open();
      await tamper(server.databaseUrl, `UPDATE elicitation SET ${column} = ${flip(column, at)} WHERE id = $1`, [
        opened.id,
      ]);
      const before = await digestTables(server.databaseUrl);
      await expectClosed([await show(opened), await vote(opened)]);
      const list = await browser.call('GET', '/api/elicitations?view=all');
      const { items } = await json<{ items: { id: string; message: string | null }[] }>(list);
      expect(items.find(({ id }) => id === opened.id)?.message ?? null).toBeNull();
      expect(await digestTables(server.databaseUrl)).toEqual(before);
      await tamper(server.databaseUrl, `UPDATE elicitation SET ${column} = ${flip(column, at)} WHERE id = $1`, [
        opened.id,
      ]);
      expect((await vote(opened)).status).toBe(200);
    },
  );

  test.each(spots('answer'))('a flipped bit in an answer at %s is not handed out', async (at) => {
    const opened = await closeWithResult();
    await tamper(server.databaseUrl, `UPDATE elicitation SET answer = ${flip('answer', at)} WHERE id = $1`, [
      opened.id,
    ]);
    await expectClosed([await read(opened), await show(opened)]);
  });

  test.each(spots('result'))('a flipped bit in a result at %s is not handed out', async (at) => {
    const opened = await closeWithResult();
    await tamper(server.databaseUrl, `UPDATE tool_call SET result = ${flip('result', at)} WHERE id = $1`, [
      opened.toolCall,
    ]);
    await expectClosed([await claim(opened, 'b')]);
  });

  test.each(spots('comment'))('a flipped bit in a comment at %s is not shown', async (at) => {
    const opened = await closeWithResult();
    await tamper(server.databaseUrl, `UPDATE vote SET comment = ${flip('comment', at)} WHERE elicitation_id = $1`, [
      opened.id,
    ]);
    await expectClosed([await show(opened)]);
  });

  test.each([
    ['the question', ['payload']],
    ['the question with its key', ['payload', 'data_key']],
    ['the question with its key and its owner', ['payload', 'data_key', 'owner']],
  ])("another row's %s does not open in this one", async (_name, columns) => {
    const [first, other] = [await asking.open({ session: 's' }), await asking.open({ session: 's' })];
    const set = columns.map((column) => `${column} = o.${column}`).join(', ');
    const restore = await rowOf(first.id);
    await tamper(
      server.databaseUrl,
      `UPDATE elicitation e SET ${set} FROM elicitation o WHERE e.id = $1 AND o.id = $2`,
      [first.id, other.id],
    );
    await expectClosed([await show(first), await vote(first)]);
    expect((await show(other)).status).toBe(200);
    const { payload, data_key, owner } = restore;
    await tamper(server.databaseUrl, 'UPDATE elicitation SET payload = $2, data_key = $3, owner = $4 WHERE id = $1', [
      first.id,
      payload,
      data_key,
      owner,
    ]);
  });

  test('an answer of another row, or a question in the place of an answer, does not open', async () => {
    const [first, other] = [await closeWithResult(), await closeWithResult()];
    const copy = `UPDATE elicitation e SET answer = o.answer FROM elicitation o WHERE e.id = $1 AND o.id = $2`;
    await tamper(server.databaseUrl, copy, [first.id, other.id]);
    await expectClosed([await read(first), await show(first)]);
    await tamper(server.databaseUrl, `UPDATE elicitation SET answer = payload WHERE id = $1`, [first.id]);
    await expectClosed([await read(first)]);
  });

  test('a row under a key no one knows is not opened', async () => {
    const opened = await asking.open();
    const rename = `UPDATE elicitation SET data_key = overlay(data_key PLACING 'nope'::bytea FROM 3) WHERE id = $1`;
    const { data_key } = await rowOf(opened.id);
    await tamper(server.databaseUrl, rename, [opened.id]);
    await expectClosed([await show(opened), await vote(opened)]);
    await tamper(server.databaseUrl, 'UPDATE elicitation SET data_key = $2 WHERE id = $1', [opened.id, data_key]);
  });

  async function rowOf(id: string): Promise<Record<string, Buffer>> {
    return (await tamper(server.databaseUrl, 'SELECT * FROM elicitation WHERE id = $1', [id]))[0] ?? {};
  }
});

describe('rotating the keys while a question is open', () => {
  const [old, fresh] = [
    { kid: 'old', secret: 'an-old-secret-of-this-installation' },
    { kid: 'new', secret: 'a-new-secret-of-this-installation-' },
  ];
  let database: FreshDatabase;
  let key: string;
  let server: TestServer | undefined;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(async () => {
    await server?.stop();
    await database.drop();
  });

  async function restart(secrets: { kid: string; secret: string }[]): Promise<[Asking, Browser]> {
    await server?.stop();
    server = await startTestServer({ databaseUrl: database.url, secrets });
    key ??= await server.newServerKey();
    return [askingAt(server.url, key), await openBrowser(server)];
  }

  const kidsOf = async (id: string): Promise<string[]> => {
    const [row] = await tamper(database.url, 'SELECT owner, data_key FROM elicitation WHERE id = $1', [id]);
    return [kidOfBox(row?.['owner'] ?? Buffer.of()), kidOfBox(row?.['data_key'] ?? Buffer.of())];
  };
  const vote = (browser: Browser, { id, digest }: OpenedElicitation) =>
    browser.vote({ id, digest }, { comment: 'yes' });

  test('loses nothing: what is open is shown, voted on and joined, what is new is under the new key', async () => {
    let [asking, browser] = await restart([old]);
    const voted = await asking.open({ call: 'first' });
    const later = await asking.open({ call: 'later', session: 's', audience: 'requester' });
    [asking, browser] = await restart([fresh, old]);
    expect(await server?.secrets.rotate()).toEqual({ kid: 'new', before: 'old' });
    const inbox = await json<{
      items: { id: string }[];
    }>(browser.call('GET', '/api/elicitations?view=all'));
    expect(inbox.items.map(({ id }) => id)).toEqual([voted.id]);
    expect((await browser.show(voted.id)).message).toBe(question.message);
    expect(await asking.open({ call: 'first' })).toMatchObject({ id: voted.id, joined: true });
    expect((await vote(browser, voted)).status).toBe(200);
    expect(await asking.open({ call: 'first' })).toMatchObject({
      id: voted.id,
      joined: true,
      status: 'accepted',
      comment: 'yes',
    });
    const joined = await Promise.all(Array.from({ length: 10 }, () => asking.open({ call: 'new' })));
    expect(new Set(joined.map(({ id }) => id)).size).toBe(1);
    const newest = await asking.open({ session: 's', audience: 'requester' });
    expect(await (await asking.call('GET', `/v1/elicitations/${later.id}`)).json()).toMatchObject({
      cause: 'superseded',
    });
    expect(await kidsOf(voted.id)).toEqual(['old', 'old']);
    expect(await kidsOf(newest.id)).toEqual(['new', 'new']);

    await server?.stop();
    const early = startTestServer({ databaseUrl: database.url, secrets: [fresh] });
    await expect(early).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(/key id old\b/),
    });
    [asking, browser] = await restart([fresh, old]);
    expect((await browser.call('GET', `/api/elicitations/${voted.id}`)).status).toBe(200);
  });
});

/** As someone who has the database and nothing else: triggers do not stop them. */
async function tamper(url: string, sql: string, values: unknown[]): Promise<Record<string, Buffer>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
