import { describe, expect, test } from '@jest/globals';
import { argumentHeaders, otherHeader } from '#gateway/http/call';

const marked = (type: string, name: unknown) => ({ type, 'x-mcp-header': name });
const headersOf = (properties: object, args: Record<string, unknown>) =>
  argumentHeaders({ name: 'tool', inputSchema: { type: 'object', properties } }, args);

test('what is marked is said in a header, inside of objects, too; what is absent, null or not marked is not', () => {
  const place = { type: 'object', properties: { region: marked('string', 'Region') } };
  const properties = {
    place,
    size: marked('integer', 'Size'),
    dry: marked('boolean', 'Dry'),
    note: { type: 'string' },
  };
  const args = { place: { region: 'Zürich ' }, size: 7, dry: false, note: 'own' };
  expect(headersOf(properties, args)).toEqual({
    'mcp-param-region': '=?base64?WsO8cmljaCA=?=',
    'mcp-param-size': '7',
    'mcp-param-dry': 'false',
  });
  expect(headersOf(properties, { place: null, size: null })).toEqual({});
});

test.each([
  ['a line end in the name', { a: marked('string', 'X\r\nAuthorization') }, { a: 'b' }],
  ['no name', { a: marked('string', '') }, { a: 'b' }],
  ['a number that may be rounded', { a: marked('number', 'A') }, { a: 0.1 }],
  ['an integer that was rounded', { a: marked('integer', 'A') }, { a: 2 ** 60 }],
  ['a list', { a: marked('string', 'A') }, { a: ['b'] }],
  ['what the arguments inherit', { constructor: marked('string', 'A') }, {}],
])('a server gets no header by %s', (_what, properties, args) => {
  expect(headersOf(properties, args)).toEqual({});
});

test('no tool names a header of another kind, and a line end in an argument is wrapped', () => {
  const headers = headersOf({ a: marked('string', 'authorization') }, { a: 'x\r\nb: c' });
  expect(headers).toEqual({ 'mcp-param-authorization': `=?base64?${Buffer.from('x\r\nb: c').toString('base64')}?=` });
});

describe('what a client says of its arguments', () => {
  const properties = { size: marked('integer', 'Size'), to: marked('string', 'To'), note: { type: 'string' } };
  const other = (args: Record<string, unknown>, headers: Record<string, string>): string | null =>
    otherHeader({ name: 'tool', inputSchema: { type: 'object', properties } }, args, headers);

  test.each([
    ['as it is', { to: 'ada' }, { 'mcp-param-to': 'ada' }],
    ['wrapped, though it need not be', { to: 'ada' }, { 'mcp-param-to': '=?base64?YWRh?=' }],
    ['as the same number', { size: 42 }, { 'mcp-param-size': '42.0' }],
    ['of what is absent', { to: null }, { 'mcp-param-to': 'anyone' }],
    ['of what is not marked', { note: 'a' }, { 'mcp-param-note': 'b' }],
  ])('passes %s', (_how, args, headers) => {
    expect(other(args, headers)).toBeNull();
  });

  test.each([
    ['another text', { to: 'ada' }, { 'mcp-param-to': 'eve' }],
    ['nothing', { to: 'ada' }, {}],
    ['it twice', { to: 'ada' }, { 'mcp-param-to': 'ada, eve' }],
    ['a text as a number', { to: '42' }, { 'mcp-param-to': '42.0' }],
    ['another number', { size: 42 }, { 'mcp-param-size': '43' }],
    ['a number in another notation', { size: 42 }, { 'mcp-param-size': '0x2a' }],
    ['what is wrapped and no Base64', { to: 'ada' }, { 'mcp-param-to': '=?base64?YWRh=?=' }],
    ['bytes that are no text', { to: '\ufffd' }, { 'mcp-param-to': '=?base64?/w==?=' }],
    ['other letters than English ones as they are', { to: 'é' }, { 'mcp-param-to': 'é' }],
    ['another number than a fraction', { size: 1.5 }, { 'mcp-param-size': '1' }],
    ['a wrapped text without its end', { to: '' }, { 'mcp-param-to': '=?base64?=' }],
  ])('is refused if it says %s', (_what, args, headers) => {
    expect(other(args, headers)).toMatch(/^mcp-param-/);
  });
});
