import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { policyDefaults } from '#policies/contract/policy';
import { courseOf, givesPower } from '#people/directory/verbs/power';
import type { PairAnswer } from '#people/accounts/contract';
import type { UserId } from '#platform/model/id';
import { builtInRoles, type Role } from '#people/directory/contract/permission';

interface Person {
  id: UserId;
  email: string;
  decidedPairs: Record<UserId, PairAnswer> | null;
  vouchedAddresses: string[] | null;
  role: Role;
  hasPassword: boolean;
  hasProvider: boolean;
  sharesPower: boolean;
  disabledAt: number | null;
}

const directoryOf = (users: Person[]) => ({ users: users as never, groups: [], spaces: [], roles: [] });
const idOf = (at: number): UserId => `usr_${at}`;
const administrators = (count: number): Person[] =>
  Array.from({ length: count }, (_, at) => {
    return {
      id: idOf(at),
      email: `${at}@example.com`,
      decidedPairs: null,
      vouchedAddresses: null,
      role: 'admin',
      hasPassword: true,
      hasProvider: false,
      sharesPower: true,
      disabledAt: null,
    };
  });

/** What one administrator tries on someone: each is made only if it needs no one else. */
const deeds = fc.array(
  fc.record({
    who: fc.nat({ max: 5 }),
    set: fc.oneof(
      fc.record({ role: fc.constantFrom(...builtInRoles) }),
      fc.record({ disabledAt: fc.constantFrom(0, null) }),
    ),
    adds: fc.boolean(),
  }),
  { maxLength: 30 },
);

/** As the directory keeps it when an administrator changes someone. */
const changedTo = (user: Person, set: { role?: Role; disabledAt?: number | null }): Person => {
  const next = { ...user, ...set };
  return { ...next, sharesPower: user.sharesPower || next.role === 'admin' };
};

test('of two administrators or more, no one gets to decide alone, whatever they take from the others', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5 }), deeds, (count, tried) => {
      let users = administrators(count);
      const me = { id: idOf(0) };
      for (const { who, set, adds } of tried) {
        expect(courseOf(me, users, 'production')).not.toHaveProperty('alone');
        const write = { type: 'user', id: idOf(who), set } as const;
        if (adds || who === 0 || givesPower(write, directoryOf(users))) continue; // waits for someone else
        users = users.map((user) => (user.id === idOf(who) ? changedTo(user, set) : user));
      }
      expect(courseOf(me, users, 'production')).not.toHaveProperty('alone');
    }),
  );
});

test('only a trial lets one administrator decide alone: no other name does, however it is spelled', () => {
  const [first, second] = administrators(2) as [Person, Person];
  expect(courseOf(first, [first, second], 'trial')).toEqual({ alone: 'trial' });
  for (const name of ['prod', 'Production', 'staging', 'Trial', 'trial ', '']) {
    expect([name, courseOf(first, [first, second], name)]).toEqual([name, 'second']);
    expect(policyDefaults(name)).toEqual(policyDefaults('production'));
  }
});

test('the first administrator adds the second, who counts from their password on', () => {
  const [first, second] = administrators(2) as [Person, Person];
  expect(courseOf(first, [first], 'production')).toEqual({ alone: 'only-administrator' });
  expect(courseOf(first, [first, { ...second, hasPassword: false }], 'production')).toEqual({
    alone: 'only-administrator',
  });
  expect(courseOf(first, [first, second], 'production')).toBe('second');
  expect(courseOf(first, [first, { ...second, sharesPower: false, role: 'approver' }], 'production')).toEqual({
    alone: 'only-administrator',
  });
});

test('who cannot accept counts, and only the operator helps', () => {
  const [first, second] = administrators(2) as [Person, Person];
  for (const other of [
    { ...second, disabledAt: 1 },
    { ...second, role: 'reviewer' as const },
  ])
    expect(courseOf(first, [first, other], 'production')).toBe('operator');
  expect(courseOf({ ...first, credentialIssuer: second.id }, [first, second], 'production')).toBe('operator');
});

test('an administrator is no second one for another account of theirs', () => {
  const [first, second, third] = administrators(3) as [Person, Person, Person];
  const same = { ...second, decidedPairs: { [first.id]: 'one-person' as const } };
  expect(courseOf(first, [first, same], 'production')).toBe('operator');
  expect(courseOf(first, [first, { ...second, email: '0+two@example.com' }], 'production')).toBe('operator');
  expect(courseOf(first, [first, same, third], 'production')).toBe('second');
});

test('in a trial one is enough', () => {
  expect(courseOf({ id: idOf(0) }, administrators(3), 'trial')).toEqual({ alone: 'trial' });
});

test('administrators of a space accept what is about it, if they can decide and have no part in it', () => {
  const [first] = administrators(1) as [Person];
  const lead: Person = { ...first, id: idOf(7), email: 'lead@example.com', role: 'approver', sharesPower: false };
  const course = (by: Person, changes: Partial<Person> = {}, of = [lead.id]) =>
    courseOf(by, [first, { ...lead, ...changes }], 'production', of);
  expect(course(first)).toBe('second');
  expect(course(first, {}, [])).toEqual({ alone: 'only-administrator' });
  expect(course(lead)).toBe('second'); // the administrator
  for (const changes of [{ disabledAt: 1 }, { role: 'operator' as const }, { hasPassword: false }])
    expect(course(first, changes)).toEqual({ alone: 'only-administrator' });
});

test.each([
  [null, 'space-admin', true],
  [null, 'operator', true],
  [null, 'reviewer', false],
  ['operator', 'policy-author', true],
  ['space-admin', 'operator', false],
  ['space-admin', null, false],
] as const)('from %s to %s in a space gives power: %s', (before, role, gives) => {
  const members = before === null ? [] : [{ userId: idOf(1), role: before }];
  const write = { type: 'space-member', id: 'spc_a', user: idOf(1), role } as const;
  expect(givesPower(write, { users: [], groups: [], spaces: [{ id: 'spc_a', name: 'A', members }], roles: [] })).toBe(
    gives,
  );
});

test('what belongs to a space, or no longer does, gives power', () => {
  const nothing = { users: [], groups: [], spaces: [], roles: [] };
  for (const spaceId of ['spc_a', null] as const) {
    expect(givesPower({ type: 'server-space', server: 'srv_a', spaceId }, nothing)).toBe(true);
    expect(givesPower({ type: 'group-space', id: 'grp_a', spaceId }, nothing)).toBe(true);
  }
});
