import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '../support/new-folder.ts';

/** A server over stdio with exactly these tools, which it names anew at each list; it answers a call with the tool's name. */
export function listedServer(...tools: object[]) {
  const file = path.join(newFolder(), 'tools.json');
  const list = (...listed: object[]): void => writeFileSync(file, JSON.stringify(listed));
  list(...tools);
  return { words: [process.execPath, '-e', program, file], list };
}

const program = `
const { readFileSync } = require('node:fs');
const [file] = process.argv.slice(1);
const info = { protocolVersion: '2025-06-18', capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'listed', version: '1' } };
const answers = {
  initialize: () => info,
  'tools/list': () => ({ tools: JSON.parse(readFileSync(file, 'utf8')) }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: 'ran ' + name }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} }));
});
`;
