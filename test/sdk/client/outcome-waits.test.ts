import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { getEventListeners, setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createClient, type AssentryClient, type ElicitationState, type OpenElicitation } from '#sdk/client/client';
import { until } from '../../support/poll.ts';
import {
  accepted,
  elicitationId,
  openStream,
  problemBody,
  sendJson,
  startScriptedServer,
  stateOf,
  type Heard,
  type ScriptedServer,
} from './scripted-server.ts';

/** A stream that ends with its first events. */
const briefPath = '/v1/stream?wait=25';
let server: ScriptedServer;
let client: AssentryClient;
/** The rows: whatever a stream says, these decide. */
let rows: Map<string, ElicitationState>;
let stream: (request: Heard, response: ServerResponse) => void;
let read: (request: Heard, response: ServerResponse) => void;

const idNumber = (index: number): `eli_${string}` => `eli_${String(index).padStart(22, '0')}`;
const readRow = ({ path }: Heard, response: ServerResponse): void => {
  const row = rows.get(path.split('/').at(-1) ?? '');
  if (row) sendJson(response, 200, row);
  else sendJson(response, 404, problemBody(404, 'not-found'));
};
const reads = (): Heard[] => server.heard.filter(({ path }) => path.startsWith('/v1/elicitations/'));
const connects = (): Heard[] => server.heard.filter(({ path }) => path === '/v1/stream');
const tell = (id: string, cursor = '2'): void => {
  for (const open of server.streams)
    open.write(`event: elicitation\nid: ${cursor}\ndata: ${JSON.stringify({ id })}\n\n`);
};
const toShownRow = (row: object): void => {
  for (const open of server.streams) open.write(`event: elicitation\nid: 2\ndata: ${JSON.stringify(row)}\n\n`);
};
/** The stream is open, its `ready` was taken, and the reads it caused are over. */
async function settleDown(): Promise<void> {
  await until(() => server.streams.size === 1);
  let count = -1;
  await until(() => count === (count = reads().length) && count > 1);
}

beforeEach(async () => {
  rows = new Map([[elicitationId, stateOf()]]);
  stream = (_, response) => openStream(response);
  read = readRow;
  server = await startScriptedServer((request, response) =>
    request.path.startsWith('/v1/stream') ? stream(request, response) : read(request, response),
  );
  client = createClient({ url: server.url, apiKey: 'asn_test' });
});
afterEach(() => server.stop());

describe('a wait', () => {
  test('ends with the row when the stream names its elicitation', async () => {
    const waiting = client.waitForOutcome(elicitationId);
    await settleDown();
    rows.set(elicitationId, accepted);
    tell(elicitationId);
    expect(await waiting).toEqual(accepted);
    expect(connects()[0]?.headers.authorization).toBe('Bearer asn_test');
    await until(() => server.streams.size === 0);
  });

  test.each([400, 401, 403, 404, 409, 413, 500, 502])('goes on while a proxy answers %i', async (status) => {
    read = (_request, response) => void response.writeHead(status, { 'content-type': 'text/html' }).end('<html>');
    const waiting = client.waitForOutcome(elicitationId);
    await until(() => reads().length > 0 && server.streams.size === 1);
    rows.set(elicitationId, accepted);
    read = readRow;
    toShownRow(accepted);
    expect(await waiting).toEqual(accepted);
  });

  test('ends at once behind a proxy that passes on only whole answers: by brief streams, one after the other', async () => {
    const polls: ServerResponse[] = [];
    stream = ({ path, headers }, response) => {
      if (path !== briefPath) return; // the proxy holds it back
      const place = headers['last-event-id'];
      if (place !== undefined) return void polls.push(response);
      openStream(response, '7');
      response.end();
    };
    const waiting = client.waitForOutcome(elicitationId);
    await until(() => polls.length === 1);
    const before = reads().length;
    openStream(polls[0]!, '7');
    polls[0]?.end();
    await until(() => polls.length === 2);
    expect([server.heard.at(-1)?.headers['last-event-id'], reads().length]).toEqual(['7', before]);
    openStream(polls[1]!, '7');
    polls[1]?.end(`event: elicitation\nid: 8\ndata: ${JSON.stringify(accepted)}\n\n`);
    expect(await waiting).toEqual(accepted);
    expect(connects()).toHaveLength(1);
  });

  test('ends with the closed row that the stream brings, and reads nothing more', async () => {
    const waiting = client.waitForOutcome(elicitationId);
    await settleDown();
    const before = reads().length;
    toShownRow(accepted);
    expect(await waiting).toEqual(accepted);
    expect(reads()).toHaveLength(before);
  });

  test.each([
    ['is open', stateOf()],
    ['is not whole', { id: elicitationId, status: 'accepted', action: 'accept' }],
    ['has no status', { ...accepted, status: 'approved' }],
  ])('reads the row if the one that the stream brings %s', async (_case, row) => {
    const ending = new AbortController();
    const waiting = client.waitForOutcome(elicitationId, { signal: ending.signal });
    await settleDown();
    const before = reads().length;
    toShownRow(row);
    await until(() => reads().length > before);
    ending.abort('still open');
    await expect(waiting).rejects.toBe('still open');
  });

  describe('for what this client has asked itself', () => {
    const other = idNumber(1);
    const question: OpenElicitation = {
      tool: { name: 'pay' },
      arguments: {},
      message: 'Pay?',
      mode: 'form',
      schema: { type: 'object', properties: {} },
      requester: { subject: 'alice' },
    };
    const askAndWait = async (meanwhile = (): Promise<void> => Promise.resolve()) => {
      void client.waitForOutcome(elicitationId, { signal: gone.signal }).catch(() => {});
      await settleDown();
      rows.set(other, stateOf({ id: other }));
      read = (request, response) =>
        request.method === 'POST'
          ? void meanwhile().then(() => sendJson(response, 201, { ...stateOf({ id: other }), joined: false }))
          : readRow(request, response);
      await client.open(question);
      return { outcome: client.waitForOutcome(other) };
    };
    const readsOfOther = () => reads().filter(({ path }) => path.endsWith(other));
    let gone: AbortController;
    beforeEach(() => void (gone = new AbortController()));
    afterEach(() => gone.abort());

    test('reads nothing while the stream has said nothing of it', async () => {
      const { outcome } = await askAndWait();
      toShownRow({ ...accepted, id: other });
      expect(await outcome).toEqual({ ...accepted, id: other });
      expect(readsOfOther()).toEqual([]);
    });

    test('reads the row if the stream named it before the answer was there', async () => {
      const { outcome } = await askAndWait(async () => {
        rows.set(other, { ...accepted, id: other });
        const before = reads().length;
        tell(other);
        tell(elicitationId); // on the same connection, so that what follows it was heard after
        await until(() => reads().length > before);
      });
      expect(await outcome).toEqual({ ...accepted, id: other });
    });

    test('reads the row if the stream broke before the answer was there', async () => {
      const { outcome } = await askAndWait(async () => {
        rows.set(other, { ...accepted, id: other });
        for (const open of server.streams) open.destroy();
        await until(() => connects().length > 1 && server.streams.size === 1);
      });
      expect(await outcome).toEqual({ ...accepted, id: other });
    });
  });

  test('ends at once if the row was closed before, even without a stream', async () => {
    stream = (_, response) => sendJson(response, 503, problemBody(503, 'shutting-down'));
    rows.set(elicitationId, accepted);
    expect(await client.waitForOutcome(elicitationId)).toEqual(accepted);
  });

  test('that is abandoned cuts the read that is under way', async () => {
    let isCut = false;
    read = (_, response) => void response.once('close', () => (isCut = true));
    const ending = new AbortController();
    const waiting = client.waitForOutcome(elicitationId, { signal: ending.signal });
    await until(() => reads().length > 0);
    ending.abort('gone');
    await expect(waiting).rejects.toBe('gone');
    await until(() => isCut);
  });

  test('ends at its timeout with the open row, and asks once where it had no time at all', async () => {
    expect(await client.waitForOutcome(elicitationId, { timeout: 30 })).toEqual(stateOf());
    expect(await client.waitForOutcome(elicitationId, { timeout: 0 })).toEqual(stateOf());
  });

  test('ends with an inquiry only where it is to hear of one, and of another than it knows', async () => {
    const inquiry = { id: `rem_${'a'.repeat(22)}`, by: 'Ada', message: 'Which ticket?', schema: {} };
    const outcome = client.waitForOutcome(elicitationId);
    const later = client.waitForOutcome(elicitationId, { afterInquiry: inquiry.id });
    const next = client.waitForOutcome(elicitationId, { afterInquiry: null });
    await settleDown();
    rows.set(elicitationId, stateOf({ inquiry }));
    tell(elicitationId);
    expect(await next).toEqual(stateOf({ inquiry }));
    const other = stateOf({ inquiry: { ...inquiry, id: `rem_${'b'.repeat(22)}` } });
    rows.set(elicitationId, other);
    tell(elicitationId);
    expect(await later).toEqual(other);
    rows.set(elicitationId, accepted);
    tell(elicitationId);
    expect(await outcome).toEqual(accepted);
  });

  test('of an elicitation that is not ours is refused', async () => {
    await expect(client.waitForOutcome(idNumber(404))).rejects.toThrowProblem('not-found');
  });

  test('outlasts a stream that breaks: it resumes after the last event and reads again', async () => {
    const waiting = client.waitForOutcome(elicitationId);
    await settleDown();
    tell('eli_another', '17');
    await settleDown();
    for (const open of server.streams) open.destroy();
    rows.set(elicitationId, accepted); // while no one was listening
    expect(await waiting).toEqual(accepted);
    expect(connects()[1]?.headers['last-event-id']).toBe('17');
  });

  test('outlasts an outage of the rows', async () => {
    read = (_, response) => response.destroy();
    const waiting = client.waitForOutcome(elicitationId);
    await until(() => reads().length > 1);
    rows.set(elicitationId, accepted);
    read = readRow;
    tell(elicitationId);
    expect(await waiting).toEqual(accepted);
  });
});

test('all waits of a client share one stream, and each row is read for itself', async () => {
  const ids = Array.from({ length: 50 }, (_, index) => idNumber(index));
  for (const id of ids) rows.set(id, stateOf({ id }));
  const waiting = [...ids, ...ids].map((id) => client.waitForOutcome(id));
  await until(() => reads().length >= 50);
  for (const id of ids) rows.set(id, { ...accepted, id });
  await until(() => server.streams.size === 1);
  for (const id of ids) tell(id);
  const outcomes = await Promise.all(waiting);
  expect(outcomes.map(({ id }) => id)).toEqual([...ids, ...ids]);
  expect(connects()).toHaveLength(1);
});

test('waits that follow each other share one stream, and the later ones are read once', async () => {
  const ids = [1, 2, 3].map(idNumber);
  for (const id of ids) {
    rows.set(id, stateOf({ id }));
    const waiting = client.waitForOutcome(id);
    await until(() => server.streams.size === 1 && reads().some(({ path }) => path.endsWith(id)));
    toShownRow({ ...accepted, id });
    await waiting;
  }
  expect(connects()).toHaveLength(1);
  for (const id of ids.slice(1)) expect(reads().filter(({ path }) => path.endsWith(id))).toHaveLength(1);
  await until(() => server.streams.size === 0);
});

test('two hundred abandoned waits leave no listener, no timer and no connection', async () => {
  const ids = Array.from({ length: 200 }, (_, index) => idNumber(index));
  for (const id of ids) rows.set(id, stateOf({ id }));
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const own = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  const [timersBefore, socketsBefore] = [timers(), own()];
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const waits = ids.map((id) => client.waitForOutcome(id, { signal: ending.signal, timeout: 600_000 }));
  const settled = Promise.allSettled(waits);
  await until(() => reads().length >= 100 && server.streams.size === 1);
  expect(getEventListeners(ending.signal, 'abort')).toHaveLength(1); // Node warns of more than ten
  ending.abort('gone');
  expect((await settled).every((wait) => wait.status === 'rejected' && wait.reason === 'gone')).toBe(true);
  expect(getEventListeners(ending.signal, 'abort')).toHaveLength(0);
  await until(() => server.streams.size === 0);
  await until(() => timers() <= timersBefore);
  await until(async () => (await server.connections()) === 0); // fetch keeps idle ones for a moment
  await until(() => own() <= socketsBefore);
});
