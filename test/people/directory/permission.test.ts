import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { givesMore, may, permissions, builtInRoles } from '#people/directory/contract/permission';
import { mayInSpace, spaceRoles } from '#people/roles/contract';

const spaceRolesWith = (name: (typeof permissions)[number]) => spaceRoles.filter((role) => mayInSpace(role, name));

test('the docs have the table as it is', () => {
  const lines = readFileSync('docs/permissions.md', 'utf8').split('\n');
  const rows = lines.filter((line) => line.startsWith('| `')).map((line) => line.split('|').map((cell) => cell.trim()));
  const shown = rows.map(([, name, , ...cells]) => [name, ...cells.slice(0, builtInRoles.length + 1)]);
  const inSpaces = (name: (typeof permissions)[number]): string =>
    spaceRolesWith(name)
      .map((role) => `\`${role}\``)
      .join(', ');
  expect(shown).toEqual(
    permissions.map((name) => [
      `\`${name}\``,
      ...builtInRoles.map((role) => (may(role, name) ? 'yes' : '')),
      inSpaces(name),
    ]),
  );
});

test('a role in a space has what the role of the same name has everywhere, or less', () => {
  for (const role of spaceRoles)
    for (const permission of permissions)
      if (mayInSpace(role, permission)) expect(may(role === 'space-admin' ? 'admin' : role, permission)).toBe(true);
});

test('nothing of requests of others, of people, of webhooks and of content is had in a space', () => {
  const never = ['decide', 'tend-requests', 'change-directory', 'change-webhooks', 'hold-content'] as const;
  expect(permissions.filter((name) => spaceRolesWith(name).length === 0)).toEqual(never);
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
