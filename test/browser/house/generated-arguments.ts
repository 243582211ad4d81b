import { seeded } from '../../support/spellings.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type Arguments = Record<string, Json>;

const seed = 20_261_125;

/** The same arguments in each run: long, deep, wide, nested lists, mixed scripts, numbers, addresses and statements. */
export function generateArguments(count: number): Arguments[] {
  const below = seeded(seed);
  // Each shape comes as often as the others.
  return Array.from({ length: count }, (_, at) => shapes[at % shapes.length]!(below));
}

type Below = (most: number) => number;

const pick = <T>(below: Below, from: readonly T[]): T => from[below(from.length)] as T;
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

const shapes: ((below: Below) => Arguments)[] = [
  (below) => Object.fromEntries(times(40, (at) => [`field_${at}`, leaf(below)])),
  (below) => ({ customer: pick(below, names), lines: rowsOf(below, 4 + below(60), 1 + below(12)) }),
  (below) => ({ sql: statement(below), dry_run: false }),
  (below) => ({ url: address(below), method: pick(below, ['GET', 'DELETE']) }),
  (below) => ({
    body: times(1 + below(60), () => pick(below, texts)).join(pick(below, ['\n', ' '])),
    to: names.slice(0, below(4)),
  }),
  (below) => nested(below, 1 + below(9)),
  (below) => ({ matrix: times(2 + below(5), () => times(1 + below(8), () => leaf(below))), note: pick(below, texts) }),
  (below) => ({
    orders: times(2 + below(6), () => ({
      lines: rowsOf(below, below(9), 3),
      text: pick(below, texts).repeat(1 + below(9)),
    })),
  }),
  (below) => ({
    [pick(below, texts)]: leaf(below),
    '': '',
    [pick(below, names)]: { a: [], b: {}, c: null },
    amount: numberOf(below),
  }),
  (below) => ({ to: pick(below, names), amount: numberOf(below), currency: 'EUR' }),
];

export const shapeCount = shapes.length;

function nested(below: Below, depth: number): Arguments {
  const members = Object.fromEntries(
    times(1 + below(3), (at) => [`${pick(below, ['to', 'a', 'path', '名'])}_${at}`, leaf(below)]),
  );
  return depth === 0 ? members : { ...members, inner: nested(below, depth - 1) };
}

function rowsOf(below: Below, rows: number, columns: number): Json {
  const constant = leaf(below);
  return times(rows, () =>
    Object.fromEntries(times(columns, (at) => [`column_${at}`, at === 0 ? constant : leaf(below)])),
  );
}

const leaf = (below: Below): Json =>
  pick<() => Json>(below, [
    () => pick(below, texts),
    () => pick(below, names),
    () => numberOf(below),
    () => address(below),
    () => below(2) === 0,
    () => null,
    () => '',
  ])();

const numberOf = (below: Below): number =>
  pick(below, [0, -1, 0.1, 1482, 9_800.5, 48_000_000, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, -below(1_000_000) / 100]);

const address = (below: Below): string =>
  `https://${pick(below, ['a.example', 'user@hooks.xn--pple-43d.com', '10.0.0.1:8080'])}/${'path/'.repeat(below(40))}?to=${below(9)}`;

const statement = (below: Below): string =>
  `UPDATE accounts SET balance = 0 WHERE id IN (${times(1 + below(80), (at) => at).join(', ')})${pick(below, ['', ' OR 1 = 1'])}`;

const names = [
  'Bob',
  'Bob\u200b',
  'Müller Werkzeugbau GmbH',
  'DE89 3704 0044 0532 0130 00',
  '东京电力株式会社 / 第三结算部',
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenbetriebsverwaltung',
  'شركة النور للتجارة العامة',
  'раypal',
];

const texts = [
  'Pay it?',
  'The supplier offers 2 % discount for early payment, and the balance covers it; the ledger was closed on Friday.',
  '请确认是否立即为所有客户执行本次年度账户余额结转操作并发送电子邮件通知给相关负责人',
  ' leading and trailing ',
  'two\nlines\tand a tab',
  'x'.repeat(300),
  'abc \u202egnp.exe\u202c end',
];
