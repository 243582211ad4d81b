import fc from 'fast-check';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  progressToken: 3,
};
const clientInfo = { name: 'agent', version: '1' };
const write = { name: 'write_note', arguments: { text: 'x' } };

/** What clients of both eras send. */
const frames: object[] = [
  { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
  { method: 'notifications/initialized' },
  { id: 1, method: 'server/discover', params: { _meta: meta } },
  { id: 2, method: 'tools/list', params: { cursor: 'a', _meta: meta } },
  { id: 3, method: 'tools/call', params: write },
  { id: 'four', method: 'tools/call', params: { ...write, _meta: meta } },
  { id: 5, method: 'tools/call', params: { ...write, task: { ttl: 60_000 } } },
  {
    id: 6,
    method: 'tools/call',
    params: { ...write, requestState: 's', inputResponses: { sure: { action: 'accept' } } },
  },
  { id: 7, method: 'resources/read', params: { uri: 'file:///notes/first' } },
  { id: 8, method: 'prompts/get', params: { name: 'p', arguments: { a: 'b' } } },
  { id: 9, method: 'completion/complete', params: { ref: { type: 'ref/prompt', name: 'p' }, argument: write } },
  { id: 10, method: 'tasks/update', params: { taskId: 't', inputResponses: { sure: { action: 'accept' } } } },
  { id: 11, method: 'logging/setLevel', params: { level: 'error' } },
  { id: 12, method: 'ping' },
  { method: 'notifications/cancelled', params: { requestId: 3 } },
  { method: 'notifications/progress', params: { progressToken: 3, progress: 1 } },
  { id: 13, result: { action: 'accept', content: { name: 'Ada' } } },
  { id: 14, error: { code: -32601, message: 'Method not found' } },
].map((frame) => ({ jsonrpc: '2.0', ...frame }));

const frame = fc.constantFrom(...frames.map((sent) => JSON.stringify(sent)));
const call = '"method":"tools/call"';

/** One change of a text: at a place, a share of its length. */
type Change = (text: string, at: number, other: string) => string;

const insertAt = (text: string, at: number, more: string): string => text.slice(0, at) + more + text.slice(at);
const placeOf = (text: string, at: number, sign: RegExp): number => {
  const places = [...text.matchAll(sign)].map(({ index }) => index + 1);
  return places[Math.floor(at * places.length)] ?? 0;
};
const members = [
  call,
  '"\\u006dethod":"tools/call"',
  '"METHOD":"tools/call"',
  '"method\\u0000":"tools/call"',
  '"ｍethod":"tools/call"',
  '"method":["tools/call"]',
  '"params":{"name":"write_note"}',
  '"id":7',
  '"id":null',
  '"__proto__":{"method":"tools/call"}',
];

const changes: Change[] = [
  ...members.map(
    (member): Change =>
      (text, at) =>
        insertAt(text, placeOf(text, at, /\{/g), `${member},`),
  ),
  ...members.map(
    (member): Change =>
      (text, at) =>
        insertAt(text, placeOf(text, at, /[\]}]/g) - 1, `,${member}`),
  ),
  (text) => text.replace(/"method":"[^"]*"/, call),
  (text) => text.replace(/"method":"[^"]*"/, '"method":"tools\\/call"'),
  (text) => text.replace(/"method":"[^"]*"/, '"method":"Tools/Call"'),
  (text) => text.replace(/"method":"[^"]*"/, '"method":"tools/call\\u0000"'),
  (text) => text.replace(/"method":"[^"]*"/, '"method":"tools\\ud800/call"'),
  (text) => text.replace(/"id":[^,]*,/, ''),
  (text) => text.replace(/"id":[^,]*,/, '"id":7.5,'),
  (text, _at, other) => text + other,
  (text, _at, other) => `${text}\n${other}`,
  (text, _at, other) => `${text}\r${other}`,
  (text, _at, other) => `[${text},${other}]`,
  (text, at, other) => insertAt(text, placeOf(text, at, /"(?=,)/g), `\u2028${other}\u2028`),
  (text, at, other) => insertAt(text, placeOf(text, at, /:/g), `${other},"more":`),
  (text, at) => insertAt(text, Math.floor(at * text.length), '\0'),
  (text, at) => text.slice(0, Math.floor(at * text.length)),
];

const changed = fc
  .tuple(
    frame,
    fc.array(fc.tuple(fc.constantFrom(...changes), fc.double({ min: 0, max: 0.999, noNaN: true }), frame), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([first, steps]) => steps.reduce((text, [change, at, other]) => change(text, at, other), first));

/** What clients send, changed so that it could reach a server as a call. */
export const mutatedFrames: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 9, arbitrary: changed.map((text) => Buffer.from(text)) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('utf16le' as const, 'latin1' as const)
      .chain((encoding) => changed.map((text) => Buffer.from(text, encoding))),
  },
);
