import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  defaultDataDirectory,
  findDataDirectory,
  makeDataDirectory,
  assertNotLeftBehind,
} from '#platform/config/data-directory';
import { newFolder } from '../../support/new-folder.ts';

const files = (...present: string[]) => ({ isThere: (file: string) => present.includes(file) });
const linux = { platform: 'linux', home: '/home/ada', stateHome: undefined, localAppData: undefined } as const;
const windows = {
  ...linux,
  platform: 'win32',
  home: 'C:\\Users\\ada',
  localAppData: 'C:\\Users\\ada\\AppData\\Local',
} as const;

describe('the default data directory', () => {
  test.each([
    ['in the home directory', linux, [], '/home/ada/.assentry'],
    ['where the person keeps state', { ...linux, stateHome: '/srv/state' }, [], '/srv/state/assentry'],
    ['not relative', { ...linux, stateHome: 'state' }, [], '/home/ada/.assentry'],
    ['where it has been', { ...linux, stateHome: '/srv/state' }, ['/home/ada/.assentry'], '/home/ada/.assentry'],
    ['of a Mac', { ...linux, platform: 'darwin' }, [], '/home/ada/Library/Application Support/assentry'],
    ['of Windows', windows, [], 'C:\\Users\\ada\\AppData\\Local\\assentry'],
    ['of Windows, where it has been', windows, ['C:\\Users\\ada\\.assentry'], 'C:\\Users\\ada\\.assentry'],
  ] as const)('is %s', (_, machine, present, expected) => {
    expect(defaultDataDirectory({ ...machine, ...files(...present) })).toBe(expected);
  });
});

describe('an installation that an earlier version made in the working directory', () => {
  const left = '/work/.assentry/secret';
  const refused =
    (...present: string[]) =>
    () =>
      assertNotLeftBehind('/work', '/home/ada/.assentry', files(...present));

  test('is named with the setting that uses it, and no empty one begins', () => {
    expect(refused(left)).toThrow(
      'ASSENTRY_DATA_DIR: found nothing, and an Assentry in /work/.assentry; give /work/.assentry to go on',
    );
    expect(refused(left, '/home/ada/.assentry')).toThrow('ASSENTRY_DATA_DIR'); // a folder alone is no installation
  });

  test('does not stop the one that this user has already', () => {
    expect(refused(left, '/home/ada/.assentry/secret')).not.toThrow();
    expect(refused('/work/.assentry')).not.toThrow();
    expect(() =>
      assertNotLeftBehind('/home/ada', '/home/ada/.assentry', files('/home/ada/.assentry/secret')),
    ).not.toThrow();
  });
});

test('a data directory within a repository is ignored by it, and is not taken for an installation', async () => {
  const directory = path.join(newFolder('data'), 'assentry');
  await makeDataDirectory(directory);
  await makeDataDirectory(directory);
  expect(readFileSync(path.join(directory, '.gitignore'), 'utf8')).toBe('*\n');
  await expect(findDataDirectory(directory)).rejects.toThrow('There is no Assentry in');
});
