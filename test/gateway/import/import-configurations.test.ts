import { expect, test } from '@jest/globals';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { configurationsOn } from '../../../src/gateway/import/clients.ts';
import { importConfigurations } from '../../../src/gateway/import/import-configurations.ts';
import { newFolder } from '../peers.ts';
import { samples } from './samples.ts';

const words = { program: ['node', '/opt/main.js'], directory: '/data' } as const;

/** A home with a configuration of every client. */
function prepare() {
  const home = newFolder();
  const configurations = configurationsOn({
    home,
    platform: 'linux',
    appData: undefined,
    cwd: path.join(home, 'none'),
  });
  const own = samples.map(({ client, text }) => {
    const file = configurations.find((first) => first.client === client)?.file ?? '';
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
    return { file, text };
  });
  const run = (undo: boolean, write: boolean) => importConfigurations(configurations, { words, undo, write });
  return { own, run, read: () => own.map(({ file }) => readFileSync(file, 'utf8')) };
}

test('without --write nothing is written', async () => {
  const { own, run, read } = prepare();
  const files = await run(false, false);
  expect(files.map(({ client }) => client).toSorted()).toEqual(samples.map(({ client }) => client).toSorted());
  expect(read()).toEqual(own.map(({ text }) => text));
  expect(own.some(({ file }) => existsSync(`${file}.before-assentry`))).toBe(false);
});

test('written twice and undone, every file is as it was, byte for byte', async () => {
  const { own, run, read } = prepare();
  await run(false, true);
  const wrapped = read();
  expect(wrapped.every((text, at) => text !== own[at]?.text && text.includes('--data-dir'))).toBe(true);
  expect(own.map(({ file }) => statSync(file).mode & 0o777)).toEqual(own.map(() => 0o600));
  await run(false, true);
  expect(read()).toEqual(wrapped);
  expect(own.map(({ file }) => readFileSync(`${file}.before-assentry`, 'utf8'))).toEqual(own.map(({ text }) => text));
  await run(true, true);
  expect(read()).toEqual(own.map(({ text }) => text));
  expect(own.some(({ file }) => existsSync(`${file}.before-assentry`))).toBe(false);
  await run(true, true);
  expect(read()).toEqual(own.map(({ text }) => text));
});

test('what was changed after the import stays when it is undone', async () => {
  const { own, run, read } = prepare();
  await run(false, true);
  for (const [at, { file }] of own.entries()) writeFileSync(file, read()[at]?.replace('{', '{ "mine": 1,') ?? '');
  await run(true, true);
  for (const text of read()) expect([text.includes('"mine": 1'), text.includes('--data-dir')]).toEqual([true, false]);
});

test('a link to a configuration elsewhere stays one', async () => {
  const { own, run } = prepare();
  const [{ file, text } = { file: '', text: '' }] = own;
  const place = path.join(newFolder(), 'dotfile.json');
  writeFileSync(place, text);
  rmSync(file);
  symlinkSync(place, file);
  await run(false, true);
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(place, 'utf8')).toContain('--data-dir');
});
