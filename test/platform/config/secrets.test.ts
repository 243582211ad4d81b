import { describe, expect, test } from '@jest/globals';
import type { Environment, VariableName } from '#platform/config/env';
import { missingSecrets, readSecrets } from '#platform/config/secrets';
import { Problem } from '#platform/model/problem';

const secretOf = (name: string): string => name.padEnd(32, '.');
const inOrder = [
  'ASSENTRY_SECRET',
  'MCP_ELICITATION_SECRET',
  'MCP_SESSION_SECRET',
  'MCP_SERVER_SECRET',
] as const satisfies VariableName[];
const ring = `new:${secretOf('new')},old:${secretOf('old')}`;

describe('the secrets in force', () => {
  test('are unknown where no variable is set', () => {
    expect(readSecrets({ ASSENTRY_PORT: '4700' })).toBeNull();
  });

  test.each(inOrder.map((name, index) => [name, inOrder.slice(index)] as const))(
    'come from %s before the later ones',
    (name, present) => {
      const environment = Object.fromEntries(present.map((item) => [item, secretOf(item)]));
      expect(readSecrets(environment)).toEqual([{ kid: 'k1', secret: secretOf(name) }]);
    },
  );

  test('come from the ring before any single secret, the active one first', () => {
    const environment = Object.fromEntries(inOrder.map((item) => [item, secretOf(item)]));
    expect(readSecrets({ ...environment, ASSENTRY_SECRETS: ring })).toEqual([
      { kid: 'new', secret: secretOf('new') },
      { kid: 'old', secret: secretOf('old') },
    ]);
  });

  test('may hold colons and spaces, and stand apart by white space', () => {
    const secret = `a:b  c/${'='.repeat(30)}`;
    expect(readSecrets({ ASSENTRY_SECRETS: ` 2026-a:${secret} ,\n b:${secretOf('b')}\n` })).toEqual([
      { kid: '2026-a', secret },
      { kid: 'b', secret: secretOf('b') },
    ]);
  });

  test('have 32 characters at least', () => {
    expect(readSecrets({ ASSENTRY_SECRET: 'x'.repeat(32) })).toHaveLength(1);
    expect(() => readSecrets({ ASSENTRY_SECRET: 'x'.repeat(31) })).toThrowProblem('config-invalid');
  });
});

describe('a secret that is refused', () => {
  const short = 'too-short-a-secret';
  const long = secretOf('long-enough');
  const cases: [string, Environment, RegExp][] = [
    ...inOrder.map((name): [string, Environment, RegExp] => [
      `a short ${name}`,
      { [name]: short },
      new RegExp(`^${name}: found a secret of 18 characters; use at least 32\\.$`),
    ]),
    ['a short one before a good fallback', { ASSENTRY_SECRET: short, MCP_SERVER_SECRET: long }, /^ASSENTRY_SECRET: /],
    ['a short one in the ring', { ASSENTRY_SECRETS: `a:${long},b:${short}` }, /in part 2 a secret of 18 characters/],
    [
      'a secret without key id',
      { ASSENTRY_SECRETS: long },
      /found part 1, which is not of the form kid:secret; write kid:/,
    ],
    ['an empty part', { ASSENTRY_SECRETS: `a:${long},` }, /found part 2/],
    ['a key id of strange characters', { ASSENTRY_SECRETS: `a_b:${long}` }, /1 to 16 letters, digits or hyphens/],
    ['a key id too long', { ASSENTRY_SECRETS: `${'a'.repeat(17)}:${long}` }, /1 to 16 letters/],
    ['secret and key id mixed up', { ASSENTRY_SECRETS: `${long}:a` }, /found part 1/],
    ['a key id twice', { ASSENTRY_SECRETS: `a:${long},a:${long}x` }, /found the same key id twice; give each secret/],
    ['a secret twice', { ASSENTRY_SECRETS: `a:${long},b:${long}` }, /found the same secret twice; give each secret/],
  ];
  test.each(cases)('%s: names the variable and what is allowed, never the secret', (_, environment, expected) => {
    const problem = problemOf(environment);
    expect(problem.message).toMatch(expected);
    expect(problem.message).toMatch(new RegExp(`^${Object.keys(environment)[0]}: found `));
    for (const secret of [short, long]) expect(problem.message).not.toContain(secret);
  });

  test('with a shared database: says that every node needs the same one', () => {
    expect(missingSecrets().message).toMatch(/^ASSENTRY_SECRET: found nothing; with DATABASE_URL every node needs/);
    expect(missingSecrets()).toThrowProblem('config-invalid');
  });
});

function problemOf(environment: Environment): Problem {
  try {
    readSecrets(environment);
  } catch (error) {
    if (error instanceof Problem && error.code === 'config-invalid') return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
