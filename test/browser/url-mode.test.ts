import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport, type ElicitRequestURLParams } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveBothEras } from '../../examples/serve-both-eras.ts';
import type { MintedToken } from '#sdk/client/client';
import { mintToken, type TokenClaims } from '#access/tokens/rules';
import { assentry } from '#sdk/mcp/assentry-v2';
import type { ElicitationId } from '#platform/model/id';
import { askingAt } from '../support/nodes/asking.ts';
import { launchBrowser } from '../support/browser/browser.ts';
import { until } from '../support/poll.ts';
import { startTestServer } from '../support/nodes/server.ts';

const Payment = z.object({ seats: z.int().min(1).meta({ title: 'Seats' }) });
const Granted = z.object({ username: z.string() });
const content = { username: 'ada' };
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

let minted: MintedToken[];
let effects: string[];

const [browser, server] = await Promise.all([launchBrowser(), startTestServer()]);
const options = { url: server.url, apiKey: await server.newServerKey('travel') };
const mcp = await serveBothEras(() => makeServer(options), 0);
afterAll(async () => {
  await browser.close();
  await mcp.close();
  await server.stop();
});
beforeEach(() => {
  minted = [];
  effects = [];
});

function makeServer(options: { url: string; apiKey: string }): McpServer {
  const travel = new McpServer({ name: 'travel', version: '1.0.0' });
  const tools = assentry(travel, options);
  tools.registerTool('book', {}, async ({ elicit }) => {
    const { status, content: booked } = await elicit('How many seats?', Payment, { mode: 'url' });
    if (status === 'accept') effects.push(`booked ${booked.seats}`);
    return say(`${status} ${booked?.seats}`);
  });
  tools.registerTool('connect', {}, async ({ elicit, sessionId }) => {
    const token = await tools.generateElicitationToken(sessionId);
    minted.push(token);
    const url = `https://github.example/login?state=${token.token}`;
    const { status, content: granted } = await elicit('Connect?', Granted, { url, elicitationId: token });
    if (status === 'accept') effects.push(`connected ${granted.username}`);
    return say(`${status} ${granted?.username}`);
  });
  return travel;
}

/** Calls a tool as a client that agrees to open every address; what it was asked, and the call that waits. */
async function begin(mode: 'auto' | 'legacy', name: string) {
  const capabilities = { elicitation: { form: {}, url: {} } };
  const client = new Client({ name: 'agent', version: '2.0.0' }, { capabilities, versionNegotiation: { mode } });
  const urls: ElicitRequestURLParams[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    urls.push(params as ElicitRequestURLParams);
    return { action: 'accept' };
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp.url)));
  const state = { isOver: false };
  const result = client.callTool({ name, arguments: {} }).finally(() => (state.isOver = true));
  const request = await until(() => urls[0]);
  return { client, request, result, state };
}

const strange = { elicitation: null, session: 'another session', nonce: 'x' };
/** What someone may make of a token, or bring in its place. */
async function wrongTokens(token: string, purpose: 'page' | 'callback'): Promise<string[]> {
  const parts = token.split('.');
  const flipped = parts.map((part, at) =>
    [...parts.slice(0, at), `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}`, ...parts.slice(at + 1)].join('.'),
  );
  const { ring } = server.engine;
  const rows = askingAt(server.url, await server.newServerKey(`other-${Math.random()}`));
  const foreign = await rows.open({ mode: 'url', audience: 'requester', session: 'theirs' });
  const id = foreign.id as ElicitationId;
  const make = (claims: Partial<TokenClaims>) =>
    mintToken(ring, { ...strange, purpose, expiresAt: Date.now() + 60_000, ...claims });
  return [
    ...flipped,
    token.slice(0, -1),
    `${token}x`,
    make({ elicitation: id }),
    make({ elicitation: id, session: 'theirs', expiresAt: Date.now() - 1 }),
    make({ elicitation: id, session: 'theirs', purpose: purpose === 'page' ? 'callback' : 'page' }),
  ];
}

/** All that differs between two refusals is the number under which they were logged. */
const shapeOf = async (response: Response): Promise<string> =>
  `${response.status} ${(await response.text()).replaceAll(/err_[0-9a-f]{16}|"requestId":"[^"]*"|nonce="[^"]*"|nonce-[^"']*/g, '')}`;

const report = (url: string, body: unknown): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

describe.each(['auto', 'legacy'] as const)('a call in URL mode of a client of %s', (mode) => {
  test('is resumed by a person in a browser, and by nothing else', async () => {
    const { client, request, result, state } = await begin(mode, 'book');
    const [address = '', token = ''] = /^(.*\/e\/)(.*)$/.exec(request.url)?.slice(1) ?? [];
    const refusals = await Promise.all(
      (await wrongTokens(token, 'page')).map(async (wrong) => shapeOf(await fetch(`${address}${wrong}`))),
    );
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toMatch(/^400 /);
    expect(refusals[0]).not.toContain('How many seats?');
    const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    await page.goto(request.url);
    expect(await page.content()).not.toContain('How many seats?');
    await page.getByLabel('Code').fill(/code (\d{3} \d{3})$/.exec(request.message)?.[1] ?? '');
    await page.getByRole('button', { name: 'Open the request' }).click();
    await page.getByText('How many seats?').waitFor();
    expect([state.isOver, effects]).toEqual([false, []]);
    await page.getByLabel('Seats').fill('3');
    await page.getByRole('button', { name: 'Send answer' }).click();
    expect((await result).content).toEqual(say('accept 3').content);
    const later = await fetch(request.url);
    expect(await shapeOf(later)).toBe(refusals[0]);
    expect(effects).toEqual(['booked 3']);
    await page.context().close();
    await client.close();
  });

  test('is resumed by a callback, and by nothing else', async () => {
    const { client, result, state } = await begin(mode, 'connect');
    const [{ token = '', callbackUrl = '' } = {}] = minted;
    const right = callbackUrl ?? '';
    const address = right.slice(0, -token.length);
    const refusals = await Promise.all(
      (await wrongTokens(token, 'callback')).map(async (wrong) =>
        shapeOf(await report(`${address}${wrong}`, { content })),
      ),
    );
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toMatch(/^400 .*token-invalid/);
    expect((await report(right, { content: { username: 7 } })).status).toBe(400);
    expect([state.isOver, effects]).toEqual([false, []]);
    expect((await report(right, { content })).status).toBe(200);
    expect((await result).content).toEqual(say('accept ada').content);
    expect((await report(right, { content })).status).toBe(200);
    expect((await report(right, { content: { username: 'mallory' } })).status).toBe(409);
    expect((await report(right, { action: 'decline' })).status).toBe(409);
    expect(effects).toEqual(['connected ada']);
    await client.close();
  });
});
