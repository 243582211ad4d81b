import { afterAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { compiled } from '../../support/compiled.ts';
import { makeDataDirectory } from '#platform/config/data-directory';
import { keepSecret } from '#platform/config/secrets';

const base = await mkdtemp(path.join(os.tmpdir(), 'assentry-secret-'));
afterAll(() => rm(base, { recursive: true, force: true }));

const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8);

async function newDirectory(): Promise<string> {
  const directory = path.join(await mkdtemp(path.join(base, 'case-')), 'data');
  await makeDataDirectory(directory);
  return directory;
}

function startKeeper(directory: string) {
  const script = compiled('test/platform/config/secret-keeper.ts');
  return spawn(process.execPath, [script, directory], { stdio: ['pipe', 'pipe', 'inherit'] });
}

describe('the secret in the data directory', () => {
  test('is made at first start, long and random, for its owner alone to read', async () => {
    const directory = await newDirectory();
    const [secret] = await keepSecret(directory);
    expect(secret).toEqual({ kid: 'k1', secret: expect.stringMatching(/^[\w-]{43}$/) });
    expect(await modeOf(path.join(directory, 'secret'))).toBe('600');
    expect(await modeOf(directory)).toBe('700');
    expect(await readdir(directory)).toEqual(['.gitignore', 'secret']);
    expect(await keepSecret(await newDirectory())).not.toEqual([secret]);
  });

  test('is kept across restarts, whatever an editor put after it', async () => {
    const directory = await newDirectory();
    const first = await keepSecret(directory);
    expect(await keepSecret(directory)).toEqual(first);
    await writeFile(path.join(directory, 'secret'), `${first[0]?.secret}\r\n`);
    expect(await keepSecret(directory)).toEqual(first);
  });

  test('is one for all processes that start at once', async () => {
    const directory = await newDirectory();
    const keepers = [1, 2, 3].map(() => startKeeper(directory));
    await Promise.all(keepers.map(({ stdout }) => once(stdout, 'data')));
    const answers = keepers.map(({ stdout }) => text(stdout));
    for (const { stdin } of keepers) stdin.end();
    const kept = await Promise.all(answers);
    expect(kept[0]).toMatch(/^\[\{"kid":"k1","secret":"[\w-]{43}"\}\]$/);
    expect(new Set(kept).size).toBe(1);
    expect(await readdir(directory)).toEqual(['.gitignore', 'secret']);
  });

  test('is one for all that start at once in one process', async () => {
    const directory = await newDirectory();
    const kept = await Promise.all(Array.from({ length: 8 }, () => keepSecret(directory)));
    expect(new Set(kept.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
    expect(await readdir(directory)).toEqual(['.gitignore', 'secret']);
  });

  test.each(['', 'cut-off\n'])(
    'is not replaced when it was damaged to %j, since nothing else opens what it sealed',
    async (damaged) => {
      const directory = await newDirectory();
      const file = path.join(directory, 'secret');
      await writeFile(file, damaged);
      const refused = keepSecret(directory);
      await expect(refused).rejects.toThrowProblem('config-invalid');
      await expect(refused).rejects.toThrow(
        `ASSENTRY_DATA_DIR: found in ${file} a secret of ${damaged.trim().length} characters`,
      );
      await expect(refused).rejects.toThrow('restore that file');
      await expect(refused).rejects.not.toThrow('cut-off');
      expect(await readFile(file, 'utf8')).toBe(damaged);
    },
  );
});

describe('a data directory', () => {
  test('is made with all that leads to it, and left as it is when it is there', async () => {
    const directory = path.join(base, 'deep', 'in', 'data');
    await makeDataDirectory(directory);
    expect(await modeOf(directory)).toBe('700');
    const open = path.join(base, 'open');
    await mkdir(open, { mode: 0o755 });
    await makeDataDirectory(open);
    expect(await modeOf(open)).toBe('755');
  });

  test.each([
    ['file', 'which is a file'],
    ['file/below', 'which leads through a file'],
  ])('that is %s is refused with its variable', async (name, reason) => {
    await writeFile(path.join(base, 'file'), '');
    const directory = path.join(base, name);
    const refused = makeDataDirectory(directory);
    await expect(refused).rejects.toThrowProblem('config-invalid');
    await expect(refused).rejects.toThrow(`ASSENTRY_DATA_DIR: found ${directory}, ${reason}; give a directory`);
  });
});
