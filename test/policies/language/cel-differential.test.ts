import { expect, test } from '@jest/globals';
import { isCelError, run } from '@bufbuild/cel';
import fc from 'fast-check';
import { celContext, compileCondition, evaluateCondition } from '#policies/language/rules/expression';
import { factsOf } from '../users.ts';

const literal = JSON.stringify;

const list = fc.array(fc.constantFrom(0, 1, 2, 'a'), { maxLength: 3 });

/** Arguments of every type; what generated expressions ask for is at times missing or of another type. */
const argument = fc.oneof(
  fc.constantFrom(0, 1, 2.5, -3, 1000),
  fc.constantFrom('', 'a', 'ab', 'Ab c'),
  fc.boolean(),
  list,
  fc.record({ a: fc.constantFrom(1, 'a', true) }),
);
// The two differ in `has` of a null, which the language of CEL calls there: `has` is asked only of what is never null.
const args = fc
  .tuple(fc.dictionary(fc.constantFrom('a', 'b', 'c'), argument), fc.option(argument), fc.option(list))
  .map(([some, d, l]): Record<string, unknown> => ({ ...some, d, ...(l ? { list: l } : {}) }));

const reference = fc.constantFrom(
  'request.args.a',
  'request.args.b',
  'request.args["c"]',
  'request.args.d',
  'request.args.a.a',
);
const existing = fc.constantFrom('request.server', 'request.tool', 'request.risk', 'requester.subject');

interface Expressions {
  bool: string;
  number: string;
  text: string;
  list: string;
}

const { bool } = fc.letrec<Expressions>((tie) => ({
  bool: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(
      'true',
      'false',
      'requester.verified',
      'has(request.args.a)',
      'has(request.args.a.a)',
      'request.audience == null',
    ),
    reference,
    fc.tuple(tie('bool'), fc.constantFrom('&&', '||', '=='), tie('bool')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie('bool'), tie('bool'), tie('bool')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    // The other implementation reads `!!x` as `x`, also where `x` is no bool.
    tie('bool').map((a) => (`${a}`.startsWith('!') ? `${a}` : `!(${a})`)),
    fc
      .tuple(tie('number'), fc.constantFrom('==', '!=', '<', '<=', '>', '>='), tie('number'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie('text'), fc.constantFrom('==', '!=', '<', '>='), tie('text')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc
      .tuple(tie('text'), fc.constantFrom('startsWith', 'endsWith', 'contains'), tie('text'))
      .map(([a, method, b]) => `${a}.${method}(${b})`),
    fc.tuple(tie('number'), tie('list')).map(([a, list]) => `(${a} in ${list})`),
    fc.tuple(tie('list'), tie('list')).map(([a, b]) => `(${a} == ${b})`),
    fc
      .tuple(
        tie('list'),
        fc.constantFrom('all', 'exists', 'exists_one'),
        fc.constantFrom('x == 1', 'x > 0', 'x == "a"', 'x in [1, 2]'),
      )
      .map(([list, macro, body]) => `${list}.${macro}(x, ${body})`),
  ),
  number: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom('0', '1', '2.5', '1000', '-3'),
    reference,
    fc
      .tuple(tie('number'), fc.constantFrom('+', '-', '*', '/', '%'), tie('number'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie('text').map((text) => `size(${text})`),
    tie('list').map((list) => `${list}.size()`),
    tie('list').map((list) => `double(size(${list}))`),
    fc.constantFrom('int(2.5)', 'double(3)', 'int("12")'),
    tie('list').map((list) => `${list}[0]`),
  ),
  text: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.constantFrom('', 'a', 'ab', 'bank').map(literal),
    existing,
    reference,
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a} + ${b})`),
  ),
  list: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.constantFrom('request.args.list', '[1, 2]', '[1.5]', '["a", "b"]', 'requester.groups'),
    fc.tuple(tie('list'), fc.constantFrom('x == 1', 'x > 0')).map(([list, body]) => `${list}.filter(x, ${body})`),
    tie('list').map((list) => `${list}.map(x, [x])`),
  ),
}));

/** What another implementation of the language makes of it. */
function judgeElsewhere(text: string, variables: Record<string, unknown>): string {
  const { now: _now, ...others } = variables;
  const bindings = Object.fromEntries(Object.entries(others).map(([key, value]) => [key, asMap(value)]));
  const value = run(text, bindings as Parameters<typeof run>[1]);
  if (isCelError(value) || typeof value !== 'boolean') return 'failed';
  return value ? 'applied' : 'not-applied';
}

const asMap = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !(value instanceof Map) ? new Map(Object.entries(value)) : value;

test('P1 conditions mean what they mean to another implementation of CEL', () => {
  const record: Record<string, number> = {};
  fc.assert(
    fc.property(bool, args, (text, values) => {
      const compiled = compileCondition(text, 'request');
      // The check of types refuses more here: what it lets through is compared.
      if (!compiled.ok) return;
      const context = celContext(factsOf({ request: { args: values }, requester: { groups: ['a', 'b'] } }));
      const { result } = evaluateCondition(compiled.condition, context);
      record[result] = (record[result] ?? 0) + 1;
      expect({ text, values, result }).toEqual({ text, values, result: judgeElsewhere(text, context.variables) });
    }),
    { numRuns: 1_000 },
  );
  for (const result of ['applied', 'not-applied', 'failed']) expect(record[result]).toBeGreaterThan(20);
});
