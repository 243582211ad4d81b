import { expect, test } from '@jest/globals';
import { inOrders, keyOrdersOf } from '#requests/facts/contract/orders';

const args = {
  to: 'Bob',
  amount: 1,
  lines: [
    { sku: 'a', count: 1 },
    { sku: 'b', count: 2 },
  ],
  a: { b: 1, c: 2 },
};
const sorted = JSON.parse(
  '{"a":{"b":1,"c":2},"amount":1,"lines":[{"count":1,"sku":"a"},{"count":2,"sku":"b"}],"to":"Bob"}',
) as unknown;

test('what was sorted is shown as it was written, each kind of group stored once', () => {
  expect(keyOrdersOf(args)).toEqual([
    ['to', 'amount', 'lines', 'a'],
    ['sku', 'count'],
  ]);
  expect(JSON.stringify(inOrders(sorted, keyOrdersOf(args)))).toBe(JSON.stringify(args));
});

test('an order that does not fit exactly leaves nothing out and adds nothing', () => {
  for (const orders of [
    [],
    [['to', 'amount']],
    [['to', 'amount', 'lines', 'a', 'more']],
    [['to', 'to', 'amount', 'lines', 'a']],
  ])
    expect(JSON.stringify(inOrders(sorted, orders))).toBe(JSON.stringify(sorted));
  const odd = JSON.parse('{"__proto__":1,"constructor":2}') as unknown;
  expect(JSON.stringify(inOrders(odd, [['constructor', '__proto__']]))).toBe('{"constructor":2,"__proto__":1}');
});
