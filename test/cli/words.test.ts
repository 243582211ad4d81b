import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { version } from '#platform/process/package';
import { killProcesses, runAssentry, startProgram, type Ended } from './assentry-process.ts';
import { shippedProgram } from '../support/compiled.ts';

const helps: Record<string, string[]> = {
  '': ['serve', 'user', 'key', 'migrate', 'DATABASE_URL', 'ASSENTRY_SECRETS', 'Exit codes: 0 done, 1 failed, 2 wrong'],
  serve: ['serve the API and the console until interrupted'],
  user: ['add [options] <email>'],
  'user add': ['--role <role>', 'or a role of your own', '--password-stdin', '--name <name>', '--json'],
  'user set': ['--manager <email>', 'Examples:', 'assentry user set bob@example.com --manager ada@example.com'],
  key: ['create [options]', 'list [options]', 'revoke [options] <kid>'],
  'key create': ['--server <name>', 'shown once', '--json', 'assentry key create --server payments'],
  'key revoke': ['at once and permanently', '16 characters'],
  'audit verify': ['--kept <file>', '(default: none)'],
  'auditor create': ['<name>', 'writes nothing', '--new-password', '--json'],
  'secrets retire': ['<kid>', '--end-links', '--json', 'assentry secrets retire k1'],
  migrate: ['bring the database up to date', '--json'],
};

/** What is wrong, and what is allowed instead. */
const mistakes: Record<string, string[]> = {
  servee: [
    "unknown command 'servee'",
    'Did you mean one of serve, server?',
    'Allowed: start, status, serve, wrap, gateway, hook, config, doctor, user, group, space, role, server, key, scim, credential, provider, callback, token, apply, policy, stop, lift, notification, webhook, content, audit, auditor, receipt, witness, secrets, backup, restore, migrate, --version, --help',
  ],
  'user delete': [
    "unknown command 'delete'",
    'Allowed: add, link, connect, list, pair, pairs, set, disable, enable, --help',
  ],
  'serve --port 80': [
    "unknown option '--port'",
    'Usage: assentry serve [options]',
    'Allowed: --workers, --wait, --help',
  ],
  'user add --role admin': ["missing required argument 'email'", 'Usage: assentry user add [options] <email>'],
  'user add ada@home --role admin --password-stdin': ['EMAIL: Give an email address such as ada@example.com.'],
  'key create --server <b> --json': ['--server: Use 1 to 128 letters A to Z, digits, dots, dashes and underscores'],
};

// Run beforehand and four at a time: most of their time is that of starting.
const text = new Map<string, Ended>();
const helpOf = (command: string): string => `${command} --help`.trim();
beforeAll(async () => {
  const lines = [...Object.keys(helps).map(helpOf), ...Object.keys(mistakes), '--version'].values();
  const runNext = async (): Promise<void> => {
    for (const line of lines) text.set(line, await runAssentry(line.split(' ').filter(Boolean)));
  };
  await Promise.all(Array.from({ length: 4 }, runNext));
});
afterAll(killProcesses);

test.each(Object.entries(helps))('assentry %s --help says what there is, on standard output', (command, words) => {
  const ended = text.get(helpOf(command));
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended?.stdout).toMatch(
    new RegExp(`^Usage: assentry ${command.replace('user add', 'user add \\[options\\] <email>')}`.trim()),
  );
  for (const word of words) expect(ended?.stdout).toContain(word);
});

test.each(Object.entries(mistakes))('assentry %s is refused, with what is allowed', (line, words) => {
  const ended = text.get(line);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  for (const word of words) expect(ended?.stderr).toContain(word);
  expect(ended?.stderr).not.toMatch(/\n\s+at /); // no stack
});

describe('assentry --version', () => {
  test('is the version and nothing else', () => {
    expect(text.get('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

test('a pipe that is closed after the first bytes is no fault', async () => {
  const { child, ended } = startProgram([shippedProgram, 'policy', 'schema']);
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});
