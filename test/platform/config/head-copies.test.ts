import { beforeEach, expect, test } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyHeads } from '#platform/config/heads';
import { newFolder } from '../../support/new-folder.ts';

let directory: string;
beforeEach(() => void (directory = newFolder('head-copies')));

const head = 'assentry/test\n42\nroot\n';
const note = `${head}\n— assentry/test signature\n`;
const file = (): string => path.join(directory, 'checkpoint-000000000042');
const copy = (text: string) => copyHeads(directory)(42, text);

test('a head is a file of its own, which more signatures of the same head do not change', async () => {
  await copy(note);
  await copy(`${note}— witness word\n`);
  expect(readdirSync(directory)).toEqual([path.basename(file())]);
  expect(readFileSync(file(), 'utf8')).toBe(note);
});

test('another head of the same size is an alarm, and the file stays as it is', async () => {
  await copy(note);
  await expect(copy(note.replace('root', 'fork'))).rejects.toThrow('Find out who put the database back');
  expect(readFileSync(file(), 'utf8')).toBe(note);
});

test('a copy that was not written to its end is named, and is no other head', async () => {
  writeFileSync(file(), note.slice(0, 10));
  await expect(copy(note)).rejects.toThrow(`Remove ${file()} if this comes again`);
});
