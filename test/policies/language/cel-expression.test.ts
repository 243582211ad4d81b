import { describe, expect, test } from '@jest/globals';
import {
  celContext,
  compileCondition,
  evaluateCondition,
  type Condition,
  type Evaluation,
} from '#policies/language/rules/expression';
import type { Facts } from '#policies/document/rules/document';
import { factsOf } from '../users.ts';
import { workOf } from '../../support/work.ts';

function compile(text: string): Condition {
  const compiled = compileCondition(text, 'request');
  if (!compiled.ok) throw new Error(`${text} at ${compiled.offset}: ${compiled.message}`);
  return compiled.condition;
}

const evaluate = (text: string, facts: Facts = factsOf()): Evaluation =>
  evaluateCondition(compile(text), celContext(facts));
const resultOf = (text: string, args: Record<string, unknown> = {}): Evaluation['result'] =>
  evaluate(text, factsOf({ request: { args } })).result;

describe('P1 what a condition can see', () => {
  test.each([
    'request.server == "bank" && request.tool == "transfer"',
    'request.args.amount > 1000 && request.args.amount <= 5000.0 && request.args.amount == 5000',
    'request.args["amount"] * 2.0 == 10000.0',
    'request.risk in ["medium", "high"]',
    '!("destructiveHint" in request.annotations)',
    'request.mode == "form" && request.audience == null && request.reason == null',
    'requester.subject.endsWith("@example.com") && requester.verified',
    'requester.email == null && requester.role == null && size(requester.groups) == 0',
    'agent.name.startsWith("Cl") && agent.version == "1"',
    'environment.name == "test"',
    'tool.definition == null',
    'now > timestamp("2026-11-21T09:59:59Z") && now - timestamp("2026-11-21T09:00:00Z") == duration("1h")',
    'now.getHours() == 10 && now.getDayOfWeek() == 6 && now.getMonth() == 10',
    'now.getHours("Europe/Berlin") == 11 && now.getDayOfWeek("Pacific/Auckland") == 6',
    'now.getDate("Pacific/Kiritimati") == 22 && now.getFullYear("UTC") == 2026',
    'has(request.args.to) && !has(request.args.from)',
    'like(request.args.to, "DE*") && !like(request.args.to, "D?02")',
    're2(request.args.to, "^DE[0-9]+$")',
    'request.args.to.lowerAscii() == "de02"',
  ])('%s', (text) => {
    expect(evaluate(text)).toMatchObject({ result: 'applied', failure: null });
  });

  test('a key of the arguments may be called as anything of JavaScript is', () => {
    const args = JSON.parse('{"constructor": "x", "__proto__": {"a": 1}, "size": 2, "get": 3}') as Record<
      string,
      unknown
    >;
    const text = 'request.args.constructor == "x" && request.args["__proto__"].a == 1 && request.args.size == 2';
    expect(resultOf(`${text} && request.args.get == 3`, args)).toBe('applied');
    expect(resultOf('"toString" in request.args', args)).toBe('not-applied');
    expect(resultOf('request.args.toString == "x"', args)).toBe('failed');
  });
});

describe('P1 an evaluation that fails says so', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['request.args.amount > 3', {}, 'request.args.amount > 3: No such key: amount'],
    ['request.args.amount > 3', { amount: 'a' }, 'no such overload'],
    ['request.args.amount > 3', { amount: null }, 'no such overload'],
    ['request.args.a.b == 1', { a: 3 }, 'request.args.a.b == 1'],
    ['request.args.isFine', { isFine: 'yes' }, 'is neither true nor false'],
    ['request.args.isFine', { isFine: 1 }, 'is neither true nor false'],
    ['request.args.list[3] == 1', { list: [1] }, 'request.args.list[3]'],
    ['int(request.args.a) / 0 == 1', { a: 1 }, 'division by zero'],
    ['now.getHours(request.args.zone) == 1', { zone: 'Mars' }, 'Mars'],
    ['re2(request.args.a, "x")', { a: 'x'.repeat(10_001) }, 'at most 10000 characters'],
    ['like(request.args.a, "x")', { a: 'x'.repeat(100_001) }, 'at most 100000 characters'],
  ])('%s of %j', (text, args, failure) => {
    const evaluation = evaluate(text, factsOf({ request: { args } }));
    expect(evaluation.result).toBe('failed');
    expect(evaluation.failure).toContain(failure);
  });

  test.each([
    ['a long text', `${many(30)}.all(x, ${many(30)}.all(y, size(request.args.a) > 0))`, 'too many steps'],
    [
      'a text made longer',
      `${many(30)}.all(x, size(${Array(9).fill('request.args.a').join(' + ')}) > 0)`,
      'too many steps',
    ],
    ['a text by a large pattern', `${many(30)}.all(x, !re2(request.args.b, "(a?){500}b"))`, 'too many steps'],
    ['a long text once', 'size(request.args.a) > 0 && !re2(request.args.b, "(a?){500}b")', null],
  ])('reading %s again and again is refused, once is not', (_name, text, failure) => {
    const args = { a: 'x'.repeat(500_000), b: 'a'.repeat(9_000) };
    const message = evaluate(text, factsOf({ request: { args } })).failure;
    expect(message?.slice(-14) ?? null).toBe(failure);
  });

  test('arguments that nest without end cannot be read at all', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`) as Record<string, unknown>;
    expect(() => celContext(factsOf({ request: { args: deep } }))).toThrow(RangeError);
  });
});

describe('the clauses of a condition', () => {
  test('each is told with its truth, in the words of its author', () => {
    const { clauses, result } = evaluate(
      'request.args.amount > 1000 // much\n && (request.tool == "a && b" || true)\n && request.args.none == 1',
    );
    expect(result).toBe('failed');
    expect(clauses).toEqual([
      { text: 'request.args.amount > 1000 // much', holds: true },
      { text: '(request.tool == "a && b" || true)', holds: true },
      { text: 'request.args.none == 1', holds: null },
    ]);
  });

  test.each([
    ['true || true && false', ['true || true && false']],
    ['true && true ? true : false', ['true && true ? true : false']],
    ['(true && false)', ['(true && false)']],
    ['"&&" == \'&&\' && r"\\d&&" == "\\\\d"', ['"&&" == \'&&\'', 'r"\\d&&" == "\\\\d"']],
    ['"""a && " b""" == "" && true', ['"""a && " b""" == ""', 'true']],
    ['[1, 2].all(x, x > 0 && x < 3) && true', ['[1, 2].all(x, x > 0 && x < 3)', 'true']],
  ])('%s', (text, clauses) => {
    expect(compile(text).clauses.map((clause) => clause.text)).toEqual(clauses);
  });

  test('as in CEL, one that is false outweighs one that fails', () => {
    expect(resultOf('request.args.none == 1 && false')).toBe('not-applied');
    expect(resultOf('request.args.none == 1 || true')).toBe('applied');
    expect(resultOf('request.args.none == 1 && true')).toBe('failed');
  });
});

describe('what a condition may not be', () => {
  const list = 'request.args.list';

  test('P1 the known expression that backtracks is refused at once', () => {
    const text = `"${'a'.repeat(28)}".matches("(a+)+$")`;
    const refuse = () => expect(compileCondition(text, 'request')).toMatchObject({ ok: false, offset: 0 });
    expect(workOf(refuse)).toBeLessThan(20);
  });

  test('the same pattern takes no time in re2', () => {
    const judge = () => resultOf('re2(request.args.a, "(a+)+$")', { a: `${'a'.repeat(5_000)}!` });
    expect(workOf(() => expect(judge()).toBe('not-applied'))).toBeLessThan(80);
  });

  test.each<[string, string, number]>([
    ['a pattern that is not written out', 're2(request.tool, request.args.pattern)', 18],
    ['a pattern that is none of RE2', 're2(request.tool, "(a")', 18],
    ['a pattern that looks back', 're2(request.tool, "(a)\\\\1")', 18],
    ['matches as a function', 'matches("a", "a")', 0],
    ['matches deep within', `${list}.exists(x, [x].all(y, y.matches("a")))`, 39],
    ['bind', 'cel.bind(x, 1, x == 1)', 0],
    ['join', `${list}.join("") == ""`, 0],
    ['bytes', 'bytes("a") == b"a"', 0],
    ['three loops', `${list}.all(a, ${list}.all(b, ${list}.all(c, true)))`, 50],
    ['a variable that is none', 'user.name == "a"', 0],
    ['a text for a number', 'request.server > 3', 0],
    ['a number', '1 + 1', 0],
    ['too many characters', `"${'x'.repeat(2_000)}" == ""`, 0],
    ['too many nodes', `${'true && '.repeat(240)}[${'1,'.repeat(100)}1].size() == 1`, 0],
    ['too long a list', `1 in [${'1,'.repeat(250)}1]`, 0],
    ['too deep', `${'('.repeat(50)}true${')'.repeat(50)}`, 40],
    ['too many arguments', 'size(1, 2, 3, 4, 5) == 1', 0],
  ])('%s', (_name, text, offset) => {
    const compiled = compileCondition(text, 'request');
    expect(compiled.ok).toBe(false);
    if (!compiled.ok && offset > 0) expect(compiled.offset).toBe(offset);
  });

  test.each<[string, number, Evaluation['result']]>([
    [`${list}.all(x, x > 0)`, 10_000, 'applied'],
    [`${list}.all(x, x > 0)`, 400_000, 'failed'],
    [`${list}.all(x, ${list}.exists(y, y == x))`, 100, 'applied'],
    [`${list}.all(x, ${list}.exists(y, y == x))`, 1_000, 'failed'],
    [`${list}.all(x, x in ${list})`, 1_000, 'failed'],
  ])('%s over %d is %s, before it takes long', (text, length, expected) => {
    const args = { list: Array.from({ length }, (_, at) => at + 1) };
    expect(workOf(() => expect(resultOf(text, args)).toBe(expected))).toBeLessThan(80);
  });
});

function many(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, at) => at));
}
