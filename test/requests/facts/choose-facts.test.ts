import { describe, expect, test } from '@jest/globals';
import { chooseFacts, verbsOf } from '#requests/facts/contract/shown';

const chosen = (args: Record<string, unknown>) =>
  chooseFacts(args).map(({ steps, unit }) => [steps, unit ?? []].map((path) => path.join('.')).join(' '));

describe('without an author who named them, the key facts are', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    [
      'the amount with its currency, and who gets it',
      { amount: 12400, currency: 'EUR', isUrgent: true, memo: null, to: { iban: 'DE89', name: 'Müller' } },
      ['amount currency', 'to.iban ', 'to.name '],
    ],
    [
      'an amount in a group of its own',
      { transfer: { amount: { value: '12.50', currency: 'USD' }, payeeAccount: '123' }, note: 'x' },
      ['transfer.payeeAccount ', 'transfer.amount.value transfer.amount.currency', 'note '],
    ],
    [
      'recipients of a mail',
      { to: ['a@example.com', 'b@example.com'], subject: 'Hi', body: 'x'.repeat(500) },
      ['to ', 'subject '],
    ],
    [
      'the environment and what is deployed',
      { environment: 'production', service: 'checkout', version: '1.2.3', replicas: 3 },
      ['environment ', 'service ', 'version '], // in the order of the call
    ],
    ['a path', { file_path: '/etc/passwd', recursive: true }, ['file_path ', 'recursive ']],
    ['a statement under another name', { q: 'DELETE FROM orders', limit: 5 }, ['q ', 'limit ']],
    ['nothing that is long or empty', { blob: 'x'.repeat(121), nothing: null, none: [], a: 1 }, ['a ']],
    ['nothing without arguments', {}, []],
    [
      'a list of several groups as one fact, never its first member',
      {
        payees: [
          { amount: 1, iban: 'A' },
          { amount: 99, iban: 'B' },
        ],
        total: 100,
      },
      ['total ', 'payees '],
    ],
    ['the only member of a list', { payments: [{ amount: 5, iban: 'A' }] }, ['payments.0.amount ', 'payments.0.iban ']],
  ])('%s', (_what, args, expected) => {
    expect(
      chosen(args)
        .map((name) => (name.includes(' ') ? name : `${name} `))
        .sort(),
    ).toEqual([...expected].sort());
  });

  test('five at most, two of a kind before a third', () => {
    const args = { amount: 1, price: 2, total: 3, cost: 4, sum: 5, to: 'a', env: 'b' };
    expect(chooseFacts(args)).toHaveLength(5);
    expect(chooseFacts(args).map(({ steps }) => steps[0])).toEqual(expect.arrayContaining(['to', 'env']));
  });

  test('chosen amounts before recipients before paths, and shown as the caller wrote them', () => {
    const args = { path: '/srv', details: { amount: 1 }, to: 'ada', amount: 2 };
    const names = (most?: number) => chooseFacts(args, most).map(({ steps }) => steps.join('.'));
    expect(names()).toEqual(['path', 'details.amount', 'to', 'amount']);
    expect(names(3)).toEqual(['details.amount', 'to', 'amount']);
  });

  test('a word that is only part of a name decides nothing', () => {
    expect(chosen({ tomorrow: 'x', amounted: 5 })).toEqual(['tomorrow ', 'amounted ']);
  });
});

test('the verbs of a statement are found wherever they are', () => {
  expect(verbsOf('select 1;\n-- fine\ndrop table users; SELECT 2')).toEqual(['SELECT', 'DROP']);
});

test('a group is looked through a few times, however many members it has', () => {
  const lookedThrough = (members: number): number => {
    let times = 0;
    const group = Object.fromEntries(Array.from({ length: members }, (_, at) => [`amount${at}`, at]));
    const counted = new Proxy(group, { ownKeys: (target) => ((times += 1), Reflect.ownKeys(target)) });
    chooseFacts({ counted });
    return times;
  };
  expect(lookedThrough(2_000)).toBe(lookedThrough(2));
});
