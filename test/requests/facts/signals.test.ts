import { expect, test } from '@jest/globals';
import type { ElicitationId } from '#platform/model/id';
import {
  signalOfBurst,
  signalOfHour,
  signalsOfCall,
  type PastCall,
  type Present,
} from '#requests/facts/contract/signals';

const idAt = (at: number) => `eli_${at}` as ElicitationId;
const day = 86_400_000;

const past = (args: unknown, at = 0, definition = 'd'): PastCall => {
  return { id: idAt(at), at, arguments: args, definition, reaches: null, isChecked: true };
};
const facts = ['/amount', '/to', '/url', '/path'].map((path) => ({ label: path.slice(1), paths: [path] }));
const present = (args: unknown): Present => ({
  at: 0,
  arguments: args,
  definition: 'd',
  reaches: null,
  isChecked: true,
  facts,
});

const paid = (...amounts: unknown[]) => amounts.map((amount) => past({ amount, currency: 'EUR', to: 'Bob' }));
const signals = (args: unknown, calls: PastCall[]) =>
  signalsOfCall(present(args), calls).map((signal) =>
    'times' in signal
      ? [signal.kind, signal.times, signal.usual]
      : 'value' in signal
        ? [signal.what, signal.value]
        : [signal.kind],
  );

test('an amount is named by how many times the median it is, from twice on', () => {
  const calls = paid(1000, 1482, 2000, 1, 9000);
  expect(signals({ amount: 9781.2, currency: 'EUR', to: 'Bob' }, calls)).toEqual([['amount', 6.6, 1482]]);
  expect(signals({ amount: 2964, currency: 'EUR', to: 'Bob' }, calls)).toEqual([['amount', 2, 1482]]);
  expect(signals({ amount: 2963, currency: 'EUR', to: 'Bob' }, calls)).toEqual([]);
  expect(signals({ amount: 0.6, currency: 'EUR', to: 'Bob' }, paid(0.1, 0.1, 0.1, 0.2, 0.2, 0.2))).toEqual([
    ['amount', 4, 0.15],
  ]);
});

test.each([
  ['in another currency', { amount: 9000, currency: 'USD', to: 'Bob' }],
  ['without a currency', { amount: 9000, to: 'Bob' }],
  ['with its currency in another group', { amount: 9000, to: 'Bob', account: { currency: 'USD' } }],
  ['in another unit', { amount: 9000, currency: 'EUR', unit: 'cents', to: 'Bob' }],
  ['written with its currency', { amount: '9000 EUR', currency: 'EUR', to: 'Bob' }],
])('an amount %s is never compared', (_, args) => {
  expect(signals(args, paid(1, 1, 1, 1, 1))).toEqual([]);
});

test('a short history says nothing, whatever of it is comparable', () => {
  expect(signals({ amount: 9000, currency: 'EUR', to: 'Eve' }, paid(1, 1, 1, 1))).toEqual([]);
  const mixed = [...paid(1, 1, 1, 1), past({ amount: 1, currency: 'USD', to: 'Bob' })];
  expect(signals({ amount: 9000, currency: 'EUR', to: 'Bob' }, mixed)).toEqual([]);
});

test('that no one checked who asks is named only where it is unusual', () => {
  const kinds = (calls: PastCall[]) =>
    signalsOfCall({ ...present({ amount: 1, currency: 'EUR', to: 'Bob' }), isChecked: false }, calls).map(
      ({ kind }) => kind,
    );
  const [first, ...others] = paid(1, 1, 1, 1, 1) as [PastCall, ...PastCall[]];
  expect(kinds([first, ...others])).toEqual(['unchecked']);
  expect(kinds([{ ...first, isChecked: false }, ...others])).toEqual([]);
  expect(kinds(others)).toEqual([]);
});

test('a payee is new if no call had exactly these characters', () => {
  const calls = paid(1, 1, 1, 1, 1);
  expect(signals({ amount: 1, currency: 'EUR', to: 'Bob' }, calls)).toEqual([]);
  for (const to of ['Bob\u200b', 'Bоb', 'bob', ' Bob', 'B\u00f6b'])
    expect(signals({ amount: 1, currency: 'EUR', to }, calls)).toEqual([['payee', to]]);
  expect(signals({ amount: 1, currency: 'EUR', to: ['Bob', 'Eve'] }, calls)).toEqual([['payee', 'Eve']]);
});

test('an address is new by its host, a path only where paths recur', () => {
  const calls = [1, 2, 3, 4, 5].map((at) => past({ url: `https://a.example/${at}`, path: `/tmp/${at}` }));
  expect(signals({ url: 'https://a.example/9', path: '/etc/passwd' }, calls)).toEqual([]);
  expect(signals({ url: 'https://a.example.evil.example/1', path: '/tmp/1' }, calls)).toEqual([
    ['host', 'a.example.evil.example'],
  ]);
  const same = [1, 2, 3, 4, 5].map(() => past({ path: '/srv/site' }));
  expect(signals({ path: '/etc/passwd' }, same)).toEqual([['path', '/etc/passwd']]);
});

test('a definition is compared with that of the latest approved call', () => {
  expect(signals({}, [past({}, 2, 'other'), past({}, 1)])).toEqual([['definition']]);
  expect(signals({}, [past({}, 2), past({}, 1, 'other')])).toEqual([]);
  expect(signals({}, [])).toEqual([]);
});

test('an hour is unusual if none of twenty or more requests came within three hours of it, around midnight too', () => {
  const at = 10 * day + 1_800_000; // half past midnight
  const ended = (hour: number, count = 20) =>
    Array.from({ length: count }, (_, index) => ({ id: idAt(index), at: (9 - index) * day + hour * 3_600_000 }));
  expect(signalOfHour(at, ended(14))).toMatchObject([{ kind: 'hour', at, of: 20 }]);
  expect(signalOfHour(at, ended(14, 19))).toEqual([]);
  expect(signalOfHour(at, [...ended(14), ...ended(22, 1)])).toEqual([]);
  expect(signalOfHour(at, [...ended(14), ...ended(21, 1)])).toHaveLength(1);
});

test('a burst counts this request with the others, and says when it counts no further', () => {
  const others = (count: number) => Array.from({ length: count }, (_, at) => ({ id: idAt(at), at }));
  expect(signalOfBurst(others(3))).toEqual([]);
  expect(signalOfBurst(others(4))).toMatchObject([{ kind: 'burst', calls: 5, isMore: false, of: 4 }]);
  expect(signalOfBurst(others(49))).toMatchObject([{ calls: 50, isMore: false }]);
  expect(signalOfBurst(others(50))).toMatchObject([{ calls: 50, isMore: true }]);
  expect(
    signalOfBurst(others(30))[0]
      ?.from.map(({ at }) => at)
      .slice(0, 2),
  ).toEqual([29, 28]);
});

test('a server that reaches something else than at the last approval is named, unless nothing had told what that was', () => {
  const kinds = (now: string | null, before: string | null) =>
    signalsOfCall({ ...present({ to: 'Bob' }), reaches: now }, [{ ...past({ to: 'Bob' }), reaches: before }]).map(
      ({ kind }) => kind,
    );
  expect(kinds('npx db production', 'npx db staging')).toEqual(['reaches']);
  expect(kinds(null, 'npx db staging')).toEqual(['reaches']);
  expect(kinds('npx db staging', 'npx db staging')).toEqual([]);
  expect(kinds('npx db staging', null)).toEqual([]);
});
