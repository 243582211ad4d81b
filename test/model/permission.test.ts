import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { givesMore, may, permissions } from '../../src/model/permission.ts';
import { roles } from '../../src/model/user.ts';

test('the docs have the table as it is', () => {
  const lines = readFileSync('docs/permissions.md', 'utf8').split('\n');
  const rows = lines.filter((line) => line.startsWith('| `')).map((line) => line.split('|').map((cell) => cell.trim()));
  const shown = rows.map(([, name, , ...cells]) => [name, ...cells.slice(0, roles.length)]);
  expect(shown).toEqual(
    permissions.map((name) => [`\`${name}\``, ...roles.map((role) => (may(role, name) ? 'yes' : ''))]),
  );
});

test.each([
  ['reviewer', 'approver', true],
  ['approver', 'reviewer', false],
  ['reviewer', 'policy-author', true],
  ['approver', 'operator', true],
  ['operator', 'policy-author', true],
  ['policy-author', 'operator', true],
  ['admin', 'operator', false],
  ['operator', 'admin', true],
  ['operator', 'reviewer', false],
  ['approver', 'approver', false],
] as const)('from %s to %s gives more: %s', (before, after, gives) => {
  expect(givesMore(before, after)).toBe(gives);
});
