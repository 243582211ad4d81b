import { expect, test } from '@jest/globals';
import { argumentHeaders } from '../../../src/gateway/http/argument-headers.ts';

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
