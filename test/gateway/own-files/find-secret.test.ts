import { describe, expect, test } from '@jest/globals';
import { SecretFinder } from '#gateway/own-files/own-files';

const value = 'asn_k1_Zm9vYmFy-bazQUX_0123456789abcdef_9f2c';
const finder = new SecretFinder([
  { name: 'short', value: 'secret' },
  { name: 'gateway/keys/files', value },
]);
const hex = Buffer.from(value).toString('hex');
const resultOf = (...texts: string[]) => ({
  jsonrpc: '2.0',
  id: 1,
  result: { content: texts.map((text) => ({ type: 'text', text })) },
});

describe('a message with a secret', () => {
  test.each([
    ['as it is', resultOf(`key: ${value}\n`)],
    ['in structured content', { result: { structuredContent: { a: [{ b: value }] } } }],
    ['as the name of a member', { result: { structuredContent: { [value]: 1 } } }],
    ['in the text of a prompt', { result: { messages: [{ role: 'user', content: { type: 'text', text: value } }] } }],
    ['in a resource', { result: { contents: [{ uri: 'a:b', text: value }] } }],
    ['in an error', { error: { code: -1, message: `cannot parse ${value}` } }],
    ['in a question to the client', { method: 'elicitation/create', params: { message: value } }],
    ['in base64', resultOf(Buffer.from(value).toString('base64'))],
    ['in base64 behind one byte', resultOf(Buffer.from(`x${value}yz`).toString('base64'))],
    ['in base64 behind two bytes', { result: { contents: [{ blob: Buffer.from(`xx${value}y`).toString('base64') }] } }],
    ['in base64 for addresses', resultOf(Buffer.from(`a${value}b`).toString('base64url'))],
    ['in base64 in lines', resultOf(Buffer.from(value).toString('base64').replaceAll(/.{20}/g, '$&\n'))],
    ['in hexadecimal digits', resultOf(hex)],
    ['in large hexadecimal digits with spaces', resultOf(hex.toUpperCase().replaceAll(/../g, '$& '))],
    ['in lines', resultOf(value.replaceAll(/.{9}/g, '$&\n'))],
    ['in JSON within a text', resultOf(JSON.stringify({ a: JSON.stringify(value.slice(0, 9) + value.slice(9)) }))],
    ['in escapes within a text', resultOf(`"\\u0061\\u0073${value.slice(2)}"`)],
    ['in parts', resultOf(value.slice(0, 10), value.slice(10, 20), value.slice(20))],
    ['in characters', resultOf(JSON.stringify([...value]))],
  ])('%s is recognized', (_, message) => {
    const asRead = JSON.parse(JSON.stringify(message)) as unknown; // its own escapes are read before
    expect(finder.find(asRead)).toBe('gateway/keys/files');
  });
});

describe('a message without one', () => {
  test.each([
    ['a part of it', resultOf(value.slice(0, -1))],
    ['what is too short to be told from other words', resultOf('secret')],
    ['another key', resultOf(value.replace('Zm9v', 'Zm8v'))],
    ['nothing', { jsonrpc: '2.0', id: 1, result: null }],
  ])('such as %s passes', (_, message) => {
    expect(finder.find(message)).toBeNull();
  });
});

/** Parts are looked at one after the other. */
const partSize = 64 * 1024;

test.each([
  ['as it is', value],
  ['in lines', value.replaceAll(/.{9}/g, '$&\n')],
  ['in escapes', value.replaceAll(/./g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)],
  ['in hexadecimal digits with much white space', hex.replaceAll(/.{20}/g, `$&${' '.repeat(10_000)}`)],
])('in a long text a secret %s is recognized wherever it is', (_, text) => {
  for (let at = partSize - text.length - 2; at <= partSize + 2; at += text.length > 1_000 ? 1_013 : 1)
    expect(finder.find(resultOf(`${'-'.repeat(Math.max(0, at))}${text}${'-'.repeat(partSize)}`))).toBe(
      'gateway/keys/files',
    );
});
