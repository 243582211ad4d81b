import { describe, expect, test } from '@jest/globals';
import {
  exportSearch,
  inboxSearch,
  isFiltered,
  listAddress,
  readFilters,
  withFilter,
  withView,
  writeFilters,
} from '../../web/src/requests/inbox/inbox-url.ts';
import { readFragment, safeNext } from '../../web/src/access/sign-in/PasswordForm.tsx';

const read = (search: string) => readFilters(new URLSearchParams(search));

describe('the address says what the list shows', () => {
  test('and is short for the usual list', () => {
    expect(read('')).toEqual({ view: 'mine' });
    expect(`${writeFilters({ view: 'mine' })}`).toBe('');
  });

  test('and gives back what it was given', () => {
    const filters = {
      view: 'done',
      order: 'newest',
      q: 'pay & go',
      server: 'a&b',
      tool: 'x y',
      policy: 'payments',
      group: 'finance',
      requester: 'https://login.example.com#ada',
      status: 'expired',
      risk: 'high',
      from: 5,
      until: 9,
    } as const;
    expect(readFilters(writeFilters(filters))).toEqual(filters);
  });

  test('and what it cannot mean is not said', () => {
    expect(read('view=theirs&order=up&status=gone&server=&cursor=x&extra=1')).toEqual({ view: 'mine' });
    expect(read(`tool=${'x'.repeat(129)}`)).toEqual({ view: 'mine' });
  });
});

test('one filter is set or taken away, the others stay', () => {
  expect(withFilter({ view: 'all', tool: 't' }, 'server', 's')).toEqual({ view: 'all', tool: 't', server: 's' });
  expect(withFilter({ view: 'all', tool: 't', server: 's' }, 'server', undefined)).toEqual({ view: 'all', tool: 't' });
});

test('another view drops how a request ended and the order', () => {
  expect(
    withView({ view: 'done', status: 'expired', order: 'risk', server: 's', risk: 'low', from: 5 }, 'all'),
  ).toEqual({
    view: 'all',
    server: 's',
    risk: 'low',
  });
});

test('what has ended is in the history, all else in the inbox', () => {
  expect(listAddress({ view: 'done', tool: 't' })).toBe('/history?tool=t');
  expect(listAddress({ view: 'done' })).toBe('/history');
  expect(listAddress({ view: 'all', tool: 't' })).toBe('/inbox?view=all&tool=t');
});

test('an order is not a filter', () => {
  expect(isFiltered({ view: 'mine', order: 'risk' })).toBe(false);
  expect(isFiltered({ view: 'mine', tool: 't' })).toBe(true);
});

test('the API is asked for one page of exactly this list', () => {
  expect(`${inboxSearch({ view: 'mine', tool: 't' }, 'c')}`).toBe('tool=t&view=mine&limit=100&cursor=c');
});

test('an export is narrowed like the list', () => {
  expect(`${exportSearch({ view: 'done', order: 'newest', tool: 't', from: 5 })}`).toBe('tool=t&from=5');
});

describe('after signing in', () => {
  test.each([
    ['/requests/eli_x', '/requests/eli_x'],
    ['/inbox?view=all', '/inbox?view=all'],
    [null, '/'],
    ['/', '/'],
    ['/signin?next=/signin', '/'],
    ['//evil.example/', '/'],
    ['//evil.example/inbox', '/'],
    ['/\\evil.example', '/'],
    ['/ok\\..\\evil', '/'],
    ['https://evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/\t/evil.example', '/'],
  ])('%j leads to %s', (next, goal) => {
    expect(safeNext(next)).toBe(goal);
  });
});

test('a one-time link keeps its secret behind the #', () => {
  expect(readFragment('#link=abc_-&next=%2Frequests%2Feli_x')).toEqual({ link: 'abc_-', next: '/requests/eli_x' });
  expect(readFragment('')).toEqual({ link: null, next: null });
});
