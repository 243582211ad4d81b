import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { freePort } from '../../../support/nodes/free-port.ts';
import { until } from '../../../support/poll.ts';
import { startTestServer } from '../../../support/nodes/server.ts';
import { letIn, newVisitor } from '../../../support/nodes/visitor.ts';
import { callTool, pendingOf, startMcpServer, textOf } from '../peers.ts';

const table = z.object({ seats: z.int().min(1).max(9) });
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

let ledger: number[];

const server = await startTestServer();
const apiKey = await server.newServerKey('tables');
const start = (url: string) =>
  startMcpServer(
    (tools) => {
      tools.registerTool('book', { inputSchema: { at: z.string() } }, async ({ at }, { elicit }) => {
        const answer = await elicit(`Seats at ${at}?`, table);
        if (answer.status !== 'accept') return say(answer.status);
        ledger.push(answer.content.seats);
        return say(`booked ${answer.content.seats}`);
      });
      tools.registerTool('visit', {}, async ({ elicit }) =>
        say((await elicit('Look at the menu', 'https://menu.example/')).status),
      );
    },
    { url, apiKey, holdTimeoutMs: 8_000 },
  );
const mcp = await start(server.url);
afterAll(async () => {
  await mcp.stop();
  await server.stop();
});
beforeEach(() => void (ledger = []));

const linkIn = (result: Awaited<ReturnType<typeof callTool>>) => {
  const pending = pendingOf(result) as (ReturnType<typeof pendingOf> & { url: string }) | undefined;
  const code = /code (\d{3} \d{3})/.exec(textOf(result))?.[1] ?? '';
  return { ...pending, url: pending?.url ?? '', code };
};

describe('a client that cannot ask its person', () => {
  test('gets the address of a page and its code at once, and the same call finds the answer', async () => {
    const client = await mcp.connect();
    const first = await callTool(client, 'book', { at: 'Adler' });
    const { url, code, message, elicitId } = linkIn(first);
    expect([first.isError, message]).toEqual([undefined, 'Seats at Adler?']);
    expect(textOf(first)).toContain(url);
    expect(textOf(first)).toContain('Call again once they have.');
    expect(url).toMatch(new RegExp(`^${server.url}/e/`));
    const visitor = newVisitor();
    expect((await letIn(visitor, url, code)).html).toContain('Seats at Adler?');
    expect((await visitor.send(url, { action: 'accept', 'field.seats': '4' })).status).toBe(200);
    expect(ledger).toEqual([]);
    expect(textOf(await callTool(client, 'book', { at: 'Adler' }))).toBe('booked 4');
    expect(ledger).toEqual([4]);
    expect(linkIn(await callTool(client, 'book', { at: 'Adler' })).elicitId).not.toBe(elicitId);
  });

  test('waits for the page when it calls again too early', async () => {
    const client = await mcp.connect();
    const { url, code } = linkIn(await callTool(client, 'book', { at: 'Krone' }));
    const again = callTool(client, 'book', { at: 'Krone' });
    const visitor = newVisitor();
    await letIn(visitor, url, code);
    await visitor.send(url, { action: 'decline' });
    expect(textOf(await again)).toBe('decline');
    expect(ledger).toEqual([]);
  });

  test('may go away while it waits: the page and its question stay', async () => {
    const client = await mcp.connect();
    const { url, code } = linkIn(await callTool(client, 'book', { at: 'Post' }));
    const leaving = new AbortController();
    let isHeld = false;
    const options = { signal: leaving.signal, onprogress: () => void (isHeld = true) };
    const again = callTool(client, 'book', { at: 'Post' }, options);
    await until(() => isHeld);
    leaving.abort();
    await expect(again).rejects.toThrow();
    const visitor = newVisitor();
    await letIn(visitor, url, code);
    await visitor.send(url, { action: 'accept', 'field.seats': '2' });
    expect(textOf(await callTool(client, 'book', { at: 'Post' }))).toBe('booked 2');
    expect(ledger).toEqual([2]);
  });

  test('does not open the page with the link alone, nor with a wrong code', async () => {
    const { url, code, elicitId } = linkIn(await callTool(await mcp.connect(), 'book', { at: 'Linde' }));
    const visitor = newVisitor();
    await visitor.get(url);
    const wrong = code === '111 111' ? '222222' : '111111';
    expect((await visitor.send(url, { action: 'prove', code: wrong })).status).not.toBe(303);
    expect((await visitor.get(url)).html).not.toContain('Seats at Linde?');
    await visitor.send(url, { action: 'accept', 'field.seats': '4' });
    expect((await visitor.get(url)).html).not.toContain('Seats at Linde?');
    expect(await server.engine.reader.elicitation(elicitId as never)).toMatchObject({ status: 'open' });
  });

  test("is asked its own question: another session's call meets neither it nor its answer", async () => {
    const first = linkIn(await callTool(await mcp.connect(), 'book', { at: 'Hirsch' }));
    const visitor = newVisitor();
    await letIn(visitor, first.url, first.code);
    await visitor.send(first.url, { action: 'accept', 'field.seats': '9' });
    const second = linkIn(await callTool(await mcp.connect(), 'book', { at: 'Hirsch' }));
    expect(second.elicitId).toBeDefined();
    expect(second.elicitId).not.toBe(first.elicitId);
    expect(ledger).toEqual([]);
  });

  test.each([ErrorCode.MethodNotFound, ErrorCode.InvalidParams])('also one that refuses with %i', async (code) => {
    const client = await mcp.connect(() => {
      throw new McpError(code, 'No.');
    });
    expect(linkIn(await callTool(client, 'book', { at: `Refused ${code}` })).url).toContain('/e/');
  });

  test.each([
    { code: ErrorCode.MethodNotFound, refuses: 'everything', visits: 0 },
    { code: ErrorCode.InvalidParams, refuses: 'this mode', visits: 1 },
  ])('E-104 that refused $refuses with $code is not asked so again in its session', async ({ code, visits }) => {
    const modes: string[] = [];
    const connect = () =>
      mcp.connect(
        ({ schema }) => {
          modes.push(schema ? 'form' : 'url');
          if (schema) throw new McpError(code, 'No.');
          return { action: 'decline' };
        },
        { elicitation: { form: {}, url: {} } },
      );
    const client = await connect();
    for (const at of ['one', 'two']) {
      expect(linkIn(await callTool(client, 'book', { at: `${at} ${code}` })).url).toContain('/e/');
    }
    const visit = await callTool(client, 'visit');
    expect(visits === 1 ? textOf(visit) : linkIn(visit).url).toMatch(visits === 1 ? /^decline$/ : /\/go\/v1\./);
    expect(modes).toEqual(['form', ...Array(visits).fill('url')]);
    await callTool(await connect(), 'book', { at: 'another session' });
    expect(modes).toEqual(['form', ...Array(visits).fill('url'), 'form']);
  });
});

test('without a sign-in that could be told from others, a link that no one could open is not given', async () => {
  const port = await freePort();
  const far = await startTestServer({ publicUrl: 'https://assentry.example', port });
  const away = await startMcpServer(
    (tools) => tools.registerTool('book', {}, async ({ elicit }) => say((await elicit('Seats?', table)).status)),
    { url: `http://127.0.0.1:${port}`, apiKey: await far.newServerKey('tables') },
  );
  try {
    const result = await callTool(await away.connect(), 'book');
    expect(result).toMatchObject({ isError: true, _meta: { code: 'ELICITATION_NOT_SUPPORTED' } });
    expect(textOf(result)).not.toContain('/e/');
  } finally {
    await away.stop();
    await far.stop();
  }
});
