import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { request, type ClientRequest } from 'node:http';
import pg from 'pg';
import { askingAt, question, type Asking } from '../../support/nodes/asking.ts';
import { until } from '../../support/poll.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

/** Openings that stand still before they are stored, until they are let go. */
let standing: (() => void)[] = [];
let toHold = 3;
const server = await startTestServer({
  rates: { opened: 1e6, calls: 1e6, streams: 1e6, inProgress: 3, inProgressPerCaller: 2 },
});
afterAll(() => server.stop());
const hasty = askingAt(server.url, await server.newServerKey('hasty'), fetch);
const calm = askingAt(server.url, await server.newServerKey('calm'), fetch);
const ada = await server.newUser();
holdOpenings(server);
afterEach(letGo);

function holdOpenings({ engine: { transactor } }: TestServer): void {
  const { open } = transactor;
  transactor.open = async (opening) => {
    const isHeld = opening.elicitation.tool === 'held' && toHold-- > 0; // a second try goes on
    if (isHeld) await new Promise<void>((resolve) => standing.push(resolve));
    return open(opening);
  };
}

function letGo(): void {
  for (const release of standing.splice(0)) release();
}

const hold = (asking: Asking): Promise<Response> =>
  asking.call('POST', '/v1/elicitations', { ...question, tool: { name: 'held' }, call: randomUUID() });

const refusal = async (response: Response) => [
  response.status,
  response.headers.get('retry-after'),
  (await json<{ code?: string }>(response)).code,
];

describe('a node that has enough to do', () => {
  test('refuses a caller over its share, and then everyone, at once; health goes on', async () => {
    const opening = [hold(hasty), hold(hasty)];
    await until(() => standing.length === 2);
    expect(await refusal(await hasty.call('GET', '/openapi.json'))).toEqual([429, '1', 'rate-limited']);
    expect((await calm.call('GET', '/openapi.json')).status).toBe(200);
    opening.push(hold(calm));
    await until(() => standing.length === 3);
    const { cookie } = ada;
    for (const call of [
      () => calm.call('GET', '/openapi.json'),
      () => fetch(`${server.url}/api/session`, { headers: { cookie } }),
    ])
      expect(await refusal(await call())).toEqual([503, '1', 'overloaded']);
    expect(await fetch(`${server.url}/e/link`)).toMatchObject({ status: 503 });
    for (const path of ['/healthz', '/readyz']) expect((await fetch(`${server.url}${path}`)).status).toBe(200);
    letGo();
    const statuses = await Promise.all(opening.map(async (answer) => (await answer).status));
    expect(statuses).toEqual([201, 201, 201]);
    expect((await hasty.call('GET', '/openapi.json')).status).toBe(200);
  });

  test('does not count whom it refuses for that against their minute, and lets an approved call end', async () => {
    const limited = await startTestServer({
      rates: { opened: 1e6, calls: 10, streams: 1e6, inProgress: 1e6, inProgressPerCaller: 2 },
    });
    try {
      holdOpenings(limited);
      toHold = 2;
      const asking = askingAt(limited.url, await limited.newServerKey());
      const approved = await asking.open();
      await (await limited.newUser()).vote(approved.id, 'accept', {});
      const opening = [hold(asking), hold(asking)];
      await until(() => standing.length === 2);
      for (let calls = 0; calls < 20; calls += 1)
        expect(await refusal(await asking.call('GET', '/openapi.json'))).toEqual([429, '1', 'rate-limited']);
      expect((await asking.claim(approved.toolCall, 'a')).status).toBe(200);
      letGo();
      await Promise.all(opening);
      for (let calls = 0; calls < 7; calls += 1) expect((await asking.call('GET', '/openapi.json')).status).toBe(200);
      expect((await asking.call('GET', '/openapi.json')).status).toBe(429);
    } finally {
      await limited.stop();
    }
  });

  test('does not count those who only wait', async () => {
    const { id } = await hasty.open();
    const { feed } = server.engine;
    const { changed } = feed;
    let waits = 0;
    feed.changed = (...wait) => {
      waits += 1;
      return changed(...wait);
    };
    const polls = Array.from({ length: 4 }, async (_, at) => {
      await until(() => waits >= at); // one after another: to ask is work
      return hasty.call('GET', `/v1/elicitations/${id}?wait=25`);
    });
    await until(() => waits === polls.length);
    const stream = await hasty.call('GET', '/v1/stream');
    expect((await ada.vote(id, 'accept', {})).status).toBe(200);
    const answers = await Promise.all(polls.map(async (poll) => (await poll).json()));
    expect(answers).toEqual(polls.map(() => expect.objectContaining({ status: 'accepted' })));
    await stream.body?.cancel();
  });

  test('takes no more bodies that arrive slowly, and others go on meanwhile', async () => {
    const senders: ClientRequest[] = [];
    await until(async () => {
      senders.push(sendSlowly(hasty));
      return (await hasty.call('GET', '/openapi.json')).status === 429;
    });
    expect((await calm.call('GET', '/openapi.json')).status).toBe(200);
    for (const sender of senders) sender.destroy();
    await until(async () => (await hasty.call('GET', '/openapi.json')).ok);
  });
});

test('openings are worked on sixteen at a time; what waits for its turn is opened next', async () => {
  const wide = await startTestServer();
  try {
    toHold = 20;
    holdOpenings(wide);
    const key = askingAt(wide.url, await wide.newServerKey());
    const openings = Array.from({ length: 20 }, () => hold(key));
    await until(() => standing.length === 16);
    expect((await fetch(`${wide.url}/readyz`)).status).toBe(200);
    expect(standing).toHaveLength(16);
    letGo();
    await until(() => standing.length === 4);
    letGo();
    const statuses = await Promise.all(openings.map(async (answer) => (await answer).status));
    expect(new Set(statuses)).toEqual(new Set([201]));
  } finally {
    await wide.stop();
  }
});

test('readiness is answered while every connection of the pool is occupied', async () => {
  const owner = new pg.Client({ connectionString: server.databaseUrl });
  await owner.connect();
  const reader = server.engine.inbox;
  await owner.query('BEGIN; LOCK TABLE elicitation IN ACCESS EXCLUSIVE MODE');
  let ended = 0;
  const reads = Array.from({ length: 30 }, () =>
    reader.facets().then(
      () => (ended += 1),
      () => (ended += 1),
    ),
  );
  await until(
    async () =>
      (await owner.query(`SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass`, ['elicitation']))
        .rowCount === 10,
  );
  const response = await fetch(`${server.url}/readyz`);
  expect([response.status, ended]).toEqual([200, 0]);
  await owner.query('ROLLBACK');
  await owner.end();
  await Promise.all(reads);
});

/** Sends the beginning of a body and no more. */
function sendSlowly({ key }: Asking): ClientRequest {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': 1000 };
  const sender = request(`${server.url}/v1/elicitations`, { method: 'POST', headers });
  sender.on('error', () => {}); // it is cut in the end
  sender.write('{');
  return sender;
}
