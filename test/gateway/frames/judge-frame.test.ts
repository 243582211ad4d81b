import { describe, expect, test } from '@jest/globals';
import { judgeLine } from '#gateway/frames/mcp-words';

const judge = (text: string | Buffer) => judgeLine(Buffer.from(text));
const params = '"params":{"name":"write","arguments":{"text":"x"}}';
const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call",${params}}`;

const unknown = (name: string): string => `Leave out "${name}": MCP has no such member here.`;

/** What the client is told of a line that goes nowhere. */
function refusalOf(text: string | Buffer) {
  const judged = judge(text);
  return judged.kind === 'refuse' ? [judged.id, judged.error.message] : judged.kind;
}

test('a call is a call, with all members that MCP has', () => {
  const more = '"task":{"ttl":1},"requestState":"s","inputResponses":{},"name"';
  const frame = JSON.parse(call.replace('"name"', more)) as object;
  expect(judge(JSON.stringify(frame))).toEqual({ kind: 'call', frame });
  expect(judge(call.replace('tools/call', 'tools\\u002fcall')).kind).toBe('call');
});

test.each([
  ['ping', '{"jsonrpc":"2.0","id":1,"method":"ping"}', 'pass'],
  ['a method of an extension', '{"jsonrpc":"2.0","id":"a","method":"x/y","params":[1],"extra":2}', 'refuse'],
  ['a notification of an extension', '{"jsonrpc":"2.0","method":"notifications/x"}', 'drop'],
  ['a notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}', 'pass'],
  ['reading a resource', '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a:b"}}', 'call'],
  ['reading without an id', '{"jsonrpc":"2.0","method":"prompts/get","params":{"name":"a"}}', 'drop'],
  ['a list of tools', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 'list'],
  ['a cancellation', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}', 'cancel'],
  ['an answer', '{"jsonrpc":"2.0","id":1,"result":{}}', 'answer'],
  ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}', 'answer'],
])('%s differs', (_name, text, kind) => expect(judge(text).kind).toBe(kind));

describe('of the _meta of what is judged', () => {
  const kept = {
    progressToken: 3,
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  };
  const metaAfter = (method: string, members: object, meta: object, allowMeta?: string[]) => {
    const frame = { jsonrpc: '2.0', id: 1, method, params: { ...members, _meta: meta } };
    const judged = judgeLine(Buffer.from(JSON.stringify(frame)), { allowMeta });
    return judged.kind === 'call' ? judged.frame.params['_meta'] : judged;
  };
  const methods: [string, object][] = [
    ['tools/call', { name: 'write' }],
    ['resources/read', { uri: 'a:b' }],
    ['prompts/get', { name: 'p' }],
  ];

  test.each(methods)('%s takes along what MCP reserves, and nothing that no one sees', (method, members) => {
    const unseen = { target: 'other', 'a.example/id': 1, baggage: 'a=b', tracestate: 'a=b' };
    expect(metaAfter(method, members, { ...kept, ...unseen })).toEqual(kept);
    expect(metaAfter(method, members, { ...unseen, traceparent: 'delete everything' })).toBeUndefined();
    expect(metaAfter(method, members, [1])).toBeUndefined();
    expect(metaAfter(method, members, { ...kept, ...unseen }, ['target'])).toEqual({ ...kept, target: 'other' });
  });
});

test.each(['x/y', 'tools.call', 'tool/call', 'tools/callTool', 'Ping', 'constructor'])(
  'the method %s, which MCP does not have, passes only by name',
  (method) => {
    const line = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 'a', method, params: { a: 1 } }));
    const error = { code: -32601, message: 'Method not found' };
    expect(judgeLine(line)).toMatchObject({ kind: 'refuse', id: 'a', error });
    expect(judgeLine(line, { allowMethods: ['other'] }).kind).toBe('refuse');
    expect(judgeLine(line, { allowMethods: [method] })).toMatchObject({ kind: 'pass', frame: { method } });
  },
);

test('a method that is allowed by name is still not another spelling of a call', () => {
  const line = Buffer.from(call.replace('tools/call', 'Tools/Call'));
  expect(judgeLine(line, { allowMethods: ['Tools/Call'] }).kind).toBe('refuse');
});

describe('is refused', () => {
  test.each([
    ['a batch', `[${call}]`, [null, 'Send each message by itself, not as a batch.']],
    ['what is no object', '7', [null, 'Send a message of JSON-RPC.']],
    ['what is no JSON', `${call}}`, [null, 'This is not valid JSON.']],
    ['what is no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), [null, 'Send UTF-8: this message is not.']],
    ['a byte order mark', `\ufeff${call}`, [null, 'This is not valid JSON.']],
    [
      'a name that appears twice',
      call.replace('"name":', '"name":"read","name":'),
      [1, 'This name appears twice in its object. Send it once. (params.name)'],
    ],
    [
      'a method that appears twice',
      call.replace('"method":', '"method":"ping","method":'),
      [1, 'This name appears twice in its object. Send it once. (method)'],
    ],
    [
      'another spelling of a member',
      `{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call",${params}}`,
      [1, 'Leave out "Method": some servers would read it as another member.'],
    ],
    [
      "another spelling of a call's member",
      call.replace('"name":', '"Name":"read","name":'),
      [1, 'Leave out "Name": some servers would read it as another member.'],
    ],
    [
      'another spelling of what reads',
      '{"jsonrpc":"2.0","id":1,"method":"Resources/Read","params":{"uri":"a:b"}}',
      [1, 'Write the method as resources/read.'],
    ],
    [
      'another spelling of what is read',
      '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a:b","URI":"c:d"}}',
      [1, 'Leave out "URI": some servers would read it as another member.'],
    ],
    [
      'another spelling of the method',
      call.replace('tools/call', ' Tools/Call'),
      [1, 'Write the method as tools/call.'],
    ],
    [
      'another spelling of the list of tools, which would be shown uncut',
      '{"jsonrpc":"2.0","id":1,"method":"Tools/List"}',
      [1, 'Write the method as tools/list.'],
    ],
    [
      'a member that other languages fold',
      call.replace('"id":1', '"İd":2,"id":1'),
      [1, 'Leave out "İd": some servers would read it as another member.'],
    ],
    ['a member that MCP does not have', call.replace('"id":1', '"id":1,"trace":{"a":1}'), [1, unknown('trace')]],
    ['such a member in params', call.replace('"name"', '"extra":1,"name"'), [1, unknown('extra')]],
    [
      'such a member of a reading',
      '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a:b","as":"root"}}',
      [1, unknown('as')],
    ],
    ['a request that answers', call.replace('"id":1', '"id":1,"result":{}'), [1, 'Send a request or an answer.']],
    ['another version', call.replace('2.0', '1.0'), [1, 'Send jsonrpc "2.0".']],
    ['an id of another type', call.replace('"id":1', '"id":{}'), [null, 'Give an id that is a text or an integer.']],
    ['a null id', call.replace('"id":1', '"id":null'), [null, 'Give an id that is a text or an integer.']],
    ['no name', call.replace('"name":"write",', ''), [1, 'Give the name of a tool.']],
    ['a name of another type', call.replace('"write"', '["write"]'), [1, 'Give the name of a tool.']],
    ['arguments of another type', call.replace('{"text":"x"}', '[]'), [1, 'Give arguments as an object.']],
    [
      'a number that readers keep differently',
      call.replace('"x"', '12345678901234567890'),
      [1, 'This number cannot be kept exactly. Send it as a string. (params.arguments.text)'],
    ],
  ])('%s', (_name, text, refusal) => expect(refusalOf(text)).toEqual(refusal));

  test('a call without an id goes nowhere, and no one waits for an answer', () => {
    expect(judge(call.replace('"id":1,', ''))).toEqual({ kind: 'drop' });
  });
});
