import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AssentryClient } from '#sdk/client/client';
import { Problem } from '#platform/model/problem';
import { findsCall } from '../frames/finds-call.ts';
import { hostileLines } from '../frames/hostile-lines.ts';
import { mutatedFrames } from '../frames/mutated-frames.ts';
import { startGate } from './peers.ts';
import { initialize, post, rawHeaders } from './raw-post.ts';
import { bytesOf, callAt, doors, meta, named, send, type Door, type Request } from './raw-request.ts';
import { startRecorder } from './recorder.ts';

// Assentry cannot be had, so no call may reach the server: each one that does has passed by the gate.
const recorder = await startRecorder();
const client: Promise<AssentryClient> = Promise.reject(new Problem('unavailable'));
client.catch(() => {});
const gateway = await startGate({ client, upstream: { url: recorder.url } });
afterAll(async () => {
  await gateway.close();
  recorder.close();
});

const [refused, noSuch, noMethod, noJson] = [400, 404, 405, 415];
/** The answer is the error of a call that cannot be judged. */
const judged = 200;

type Attempt = [what: string, status: number, request: (door: Door) => Request];
const call = (door: Door, change: (text: string) => string | Buffer = (text) => text, more: string[] = []) => ({
  path: door,
  headers: [...named(door), ...more],
  body: change(callAt(door)),
});
const chunked = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

const attempts: Attempt[] = [
  ['the call itself', judged, (door) => call(door)],
  [
    'a call in pieces',
    judged,
    (door) => ({ ...call(door, chunked), headers: [...named(door), 'Transfer-Encoding: chunked'] }),
  ],
  ['a call that is named a form', noJson, (door) => call(door, undefined, ['Content-Type: multipart/form-data'])],
  [
    'a call with another charset in its header',
    judged,
    (door) => call(door, undefined, ['Content-Type: application/json; charset=utf-16le']),
  ],
  [
    'a call under another method in a header',
    judged,
    (door) => call(door, undefined, ['X-HTTP-Method-Override: DELETE']),
  ],
  [
    'a call with members that no one knows',
    refused,
    (door) => call(door, (text) => text.replace('{', '{"tool":"read_note",')),
  ],
  [
    'a call for a task',
    judged,
    (door) => call(door, (text) => text.replace('"arguments"', '"task":{"ttl":1},"arguments"')),
  ],
  [
    'an answer before the question',
    judged,
    (door) =>
      call(door, (text) => text.replace('"arguments"', '"inputResponses":{"sure":{"action":"accept"}},"arguments"')),
  ],
  [
    'a state of its own',
    judged,
    (door) => call(door, (text) => text.replace('"arguments"', '"requestState":"0","arguments"')),
  ],
  [
    'a state that is null',
    judged,
    (door) => call(door, (text) => text.replace('"arguments"', '"requestState":null,"inputResponses":{},"arguments"')),
  ],
  [
    'a method that MCP does not have',
    judged,
    (door) => ({
      ...call(door, (text) => text.replace('tools/call', 'x/execute')),
      headers: ['Mcp-Method: x/execute'],
    }),
  ],
  ['an upgrade to a socket', judged, (door) => call(door, undefined, ['Connection: Upgrade', 'Upgrade: websocket'])],
  [
    'an upgrade to HTTP/2',
    judged,
    (door) =>
      call(door, undefined, [
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
      ]),
  ],
  ['UTF-16', refused, (door) => call(door, (text) => Buffer.from(text, 'utf16le'))],
  ['UTF-16 with its mark', refused, (door) => call(door, (text) => Buffer.from(`\ufeff${text}`, 'utf16le'))],
  ['a byte order mark', refused, (door) => call(door, (text) => `\ufeff${text}`)],
  [
    'a slash that is too long in UTF-8',
    refused,
    (door) => call(door, (text) => Buffer.from(text.replace('s/c', 's\xc0\xafc'), 'latin1')),
  ],
  [
    'half a character in the method',
    refused,
    (door) => call(door, (text) => text.replace('tools/call', 'tools/call\\ud800')),
  ],
  [
    'half a character in a name',
    refused,
    (door) => call(door, (text) => text.replace('"method"', '"method\\udc00":"ping","method"')),
  ],
  ['a compressed body', refused, (door) => call(door, (text) => gzipSync(text), ['Content-Encoding: gzip'])],
  [
    'a U+0000 after the method',
    refused,
    (door) => call(door, (text) => text.replace('tools/call', 'tools/call\\u0000/list')),
  ],
  [
    'the method in wide letters',
    refused,
    (door) => call(door, (text) => text.replace('tools/call', 'ｔｏｏｌｓ／ｃａｌｌ')),
  ],
  [
    'the method in other letters of one case',
    refused,
    (door) => call(door, (text) => text.replace('tools/call', 'toolſ/call')),
  ],
  ['an escaped name twice', refused, (door) => call(door, (text) => text.replace('{', '{"\\u006dethod":"ping",'))],
  ['a name twice, deep inside', refused, (door) => call(door, (text) => text.replace('"text"', '"text":"a","text"'))],
  [
    'an escaped name twice, in the params',
    refused,
    (door) => call(door, (text) => text.replace('"name"', '"n\\u0061me":"read_note","name"')),
  ],
  [
    'a member that others inherit',
    refused,
    (door) => call(door, (text) => text.replace('{', '{"__proto__":{"method":"ping"},')),
  ],
  ['an id that is no integer', refused, (door) => call(door, (text) => text.replace('"id":1', '"id":1.5'))],
  ['an id that is too large', refused, (door) => call(door, (text) => text.replace('"id":1', '"id":9007199254740993'))],
  ['an id that is null', refused, (door) => call(door, (text) => text.replace('"id":1', '"id":null'))],
  ['a call without an id', refused, (door) => call(door, (text) => text.replace('"id":1,', ''))],
  ['a batch', refused, (door) => call(door, (text) => `[${text}]`)],
  ['two messages', refused, (door) => call(door, (text) => `{"jsonrpc":"2.0","id":2,"method":"ping"}\n${text}`)],
  [
    'a request that also answers',
    refused,
    (door) => call(door, (text) => text.replace('"id":1', '"id":1,"result":{}')),
  ],
  [
    'the header of another tool',
    refused,
    (door) => ({ ...call(door), headers: [`Mcp-Method: tools/call`, 'Mcp-Name: read_note'] }),
  ],
  [
    'the header of another method',
    refused,
    (door) => ({ ...call(door), headers: [`Mcp-Method: ping`, `Mcp-Name: ${doors[door]}`] }),
  ],
  ['a header twice', refused, (door) => call(door, undefined, ['Mcp-Method: ping'])],
  ['an argument in two headers', refused, (door) => call(door, undefined, ['Mcp-Param-To: ada', 'Mcp-Param-To: eve'])],
  [
    'a header in another case',
    refused,
    (door) => ({ ...call(door), headers: [`Mcp-Method: Tools/Call`, `Mcp-Name: ${doors[door]}`] }),
  ],
  [
    'a wrapped header',
    refused,
    (door) => ({ ...call(door), headers: ['Mcp-Method: =?base64?dG9vbHMvY2FsbA==?=', `Mcp-Name: ${doors[door]}`] }),
  ],
  ['no header', refused, (door) => ({ ...call(door), headers: [] })],
  [
    'two lengths',
    refused,
    (door) => ({
      ...call(door, chunked),
      headers: [...named(door), 'Transfer-Encoding: chunked', 'Content-Length: 4'],
    }),
  ],
  ['a line end in a header', refused, (door) => call(door, undefined, ['X-Note: a\nMcp-Session-Id: b\r'])],
  ['PUT', noMethod, (door) => ({ ...call(door), method: 'PUT' })],
  ['PATCH', noMethod, (door) => ({ ...call(door), method: 'PATCH' })],
  ['QUERY', noMethod, (door) => ({ ...call(door), method: 'QUERY' })],
  ['a slash at the end', noSuch, (door) => ({ ...call(door), path: `${door}/` })],
  ['a slash more', noSuch, (door) => ({ ...call(door), path: `/${door}` })],
  ['a question in the address', noSuch, (door) => ({ ...call(door), path: `${door}?sessionId=1` })],
  ['an escaped address', noSuch, (door) => ({ ...call(door), path: door.replace('mcp', '%6dcp') })],
  ['a way around', noSuch, (door) => ({ ...call(door), path: `/x/..${door}` })],
  ['a whole address', noSuch, (door) => ({ ...call(door), path: `http://127.0.0.1${door}` })],
  ['an address in another case', noSuch, (door) => ({ ...call(door), path: door.toUpperCase() })],
];

const heard = (from: number): string[] => recorder.bodies.slice(from);

describe.each(['/u/notes/mcp', '/mcp'] as const)('at %s', (door) => {
  test.each(attempts)('%s is refused or judged, and reaches no server as a call', async (_what, status, request) => {
    const before = recorder.bodies.length;
    expect(await send(gateway.url, bytesOf(request(door)))).toEqual([status]);
    expect(heard(before).filter((body) => findsCall(body) || body.includes('bypass'))).toEqual([]);
  });

  test.each(['GET', 'DELETE'])('%s with a call as its body takes no body along', async (method) => {
    const before = recorder.bodies.length;
    await send(gateway.url, bytesOf({ ...call(door), method }));
    expect(heard(before).filter((body) => body !== '')).toEqual([]);
  });

  test('a call behind another message on the same connection is judged by itself', async () => {
    const before = recorder.bodies.length;
    const ping = {
      path: door,
      headers: ['MCP-Protocol-Version: 2026-07-28', 'Mcp-Method: ping'],
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: meta } }),
    };
    expect(await send(gateway.url, Buffer.concat([bytesOf(ping), bytesOf(call(door))]), 2)).toEqual([200, 200]);
    expect(heard(before).filter(findsCall)).toEqual([]);
    expect(heard(before).some((body) => body.includes('"ping"'))).toBe(true);
  });

  test('a call in the members of another message stays there', async () => {
    const before = recorder.bodies.length;
    const inside = {
      jsonrpc: '2.0',
      id: 1,
      method: 'ping',
      params: { method: 'tools/call', call: callAt(door), _meta: { ...meta, call: JSON.parse(callAt(door)) } },
    };
    await send(
      gateway.url,
      bytesOf({
        path: door,
        headers: ['MCP-Protocol-Version: 2026-07-28', 'Mcp-Method: ping'],
        body: JSON.stringify(inside),
      }),
    );
    expect(heard(before).filter(findsCall)).toEqual([]);
    expect(heard(before).length).toBe(1);
  });

  test('of 1,000 hostile bodies none reaches a server as a call', async () => {
    const begun = await post(gateway.url + door, initialize);
    await begun.text();
    const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? 'own' };
    const before = recorder.bodies.length;
    const bodies = fc.sample(fc.oneof(hostileLines, mutatedFrames), { numRuns: 1000, seed: 14 });
    expect(bodies.filter((body) => findsCall(body.toString())).length).toBeGreaterThan(300);
    const sendBody = async (body: Buffer): Promise<void> => {
      const own = Buffer.from(body.toString('latin1').replaceAll('write_note', doors[door]), 'latin1');
      const revision = own.includes('2026-07-28') ? '2026-07-28' : '2025-11-25';
      const headers = { ...rawHeaders, ...session, 'mcp-protocol-version': revision };
      const answer = await fetch(gateway.url + door, { method: 'POST', headers, body: new Uint8Array(own) });
      await answer.text();
    };
    const lane = async (): Promise<void> => {
      for (let body = bodies.pop(); body; body = bodies.pop()) await sendBody(body);
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    expect(heard(before).filter(findsCall)).toEqual([]);
    expect(heard(before).length).toBeGreaterThan(10);
  });
});

test('a method that MCP does not have passes to a server whose configuration allows it', async () => {
  const open = await startGate({
    client: Promise.reject<AssentryClient>(new Problem('unavailable')),
    upstream: { url: recorder.url, allowMethods: ['x/execute'] },
  });
  const before = recorder.bodies.length;
  await (await post(open.notes, { jsonrpc: '2.0', id: 1, method: 'x/execute', params: {} })).text();
  await (await post(open.notes, { jsonrpc: '2.0', id: 2, method: 'x/other', params: {} })).text();
  await open.close();
  expect(heard(before).map((body) => (JSON.parse(body) as { method: string }).method)).toEqual(['x/execute']);
});

test('a message that is too long is refused with 413', async () => {
  const before = recorder.bodies.length;
  const { status } = await fetch(gateway.notes, {
    method: 'POST',
    headers: rawHeaders,
    body: callAt('/u/notes/mcp').padEnd(33 * 1024 * 1024),
  });
  expect(status).toBe(413);
  expect(heard(before)).toEqual([]);
});
