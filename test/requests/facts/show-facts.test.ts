import { expect, test } from '@jest/globals';
import { factText } from '#requests/facts/contract/facts';
import { showFacts } from '#requests/facts/contract/shown';

const args = {
  amount: 12400,
  currency: 'EUR',
  to: { name: 'Müller', 'odd/name': 'x' },
  tags: ['a', 'b'],
  rows: [{ id: 1 }, { id: 2 }],
  query: `select 1; ${'-- '.repeat(100)} drop table users`,
};

const shown = (path: string) => showFacts(args, [], [{ label: 'L', path }])[0];

test('what the policy names comes before what the author names, and both before the rule', () => {
  const policy = [{ label: 'Payee', path: '/to/name' }];
  const author = [{ label: 'Amount', path: '/amount' }];
  expect(showFacts(args, policy, author).map(({ label, source }) => [label, source])).toEqual([['Payee', 'policy']]);
  expect(showFacts(args, [], author).map(({ label, source }) => [label, source])).toEqual([['Amount', 'author']]);
  expect(showFacts(args, [], [])[0]).toMatchObject({ label: 'amount', source: 'rule', value: '12400 EUR' });
});

test('a value is shown as it is stored, an amount with its currency', () => {
  expect(shown('/amount')).toMatchObject({ value: '12400 EUR', paths: ['/amount', '/currency'] });
  expect(shown('/to/odd~1name')).toMatchObject({ value: 'x', length: 1, members: null });
  expect(shown('/tags')).toMatchObject({ value: 'a, b', members: 2 });
  expect(shown('/rows')).toMatchObject({ value: null, members: 2 });
  expect(shown('/constructor')).toMatchObject({ value: null, members: null });
});

test.each([
  [['a@example.com', 'b c'], 'a@example.com, b c'],
  [[1, 2.5, true], '1, 2.5, true'],
  [['a, b', 'c'], '["a, b","c"]'],
  [['1', '2'], '["1","2"]'],
  [['a', ''], '["a",""]'],
  [['a', ' b'], '["a"," b"]'],
  [['a\nb', 'c'], '["a\\nb","c"]'],
  [['null', 'c'], '["null","c"]'],
  [[null], '[null]'],
  [[], '[]'],
])('the list %j reads %s: in words where these say the same', (list, text) => {
  expect(factText(list)).toBe(text);
});

test('a long value says how long it is, and which verbs its end has', () => {
  expect(shown('/query')).toMatchObject({ length: args.query.length, verbs: ['SELECT', 'DROP'] });
  expect(shown('/query')?.value).toHaveLength(200);
});

test('two facts of a card never have the same label', () => {
  const facts = showFacts({ 'to.name': 'Ada', to: { name: 'Bob' }, 'amount\nEUR': 5 }, [], []);
  expect(facts.map(({ label, value }) => [label, value])).toEqual(
    expect.arrayContaining([
      ['"to.name"', 'Ada'],
      ['to.name', 'Bob'],
      ['"amount\\nEUR"', '5'],
    ]),
  );
});
