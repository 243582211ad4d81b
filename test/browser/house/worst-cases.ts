import type { OpenElicitation } from '#requests/asking/contract/open';
import { everyField, transfer } from './questions.ts';

type WorstCase = Partial<OpenElicitation> & Pick<OpenElicitation, 'arguments'>;

const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    sku: `A-${1000 + at}`,
    quantity: at === 136 ? 9_000 : 12,
    price: 48.5,
    currency: 'EUR',
    warehouse: at === 136 ? 'offshore-7 (sanctioned)' : 'Hamburg',
  }));
const deep = (depth: number): Record<string, unknown> =>
  depth === 0
    ? { path: '/etc/shadow', offset: 9_007_199_254_740_991 }
    : { [`level_${depth}`]: deep(depth - 1), note: 'as usual' };
const longWord = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenbetriebsverwaltung';

/** Forty requests that are hard to show, each for a reason of its own. */
export const worstCases: Record<string, WorstCase> = {
  'list of 220 lines with one that differs': { arguments: { customer: 'Globex', lines: lines(220) } },
  'list of 1,000 lines': { arguments: { lines: lines(1_000) } },
  'list of one column': { arguments: { ids: lines(60).map(({ sku }) => ({ sku })) } },
  'list of lists': { arguments: { matrix: Array.from({ length: 12 }, (_, at) => [at, -at, `cell ${at}`, null]) } },
  'list of unlike things': { arguments: { things: [1, 'two', null, { three: 3 }, [4], '', true] } },
  'list of many short texts': { arguments: { to: Array.from({ length: 80 }, (_, at) => `person-${at}@example.com`) } },
  'list of two in words': { arguments: { to: ['a@example.com', 'b@example.com'], subject: 'Hello' } },
  'list with a comma in a member': { arguments: { to: ['Smith, John', 'Doe'], subject: 'Hello' } },
  '40 fields': {
    arguments: Object.fromEntries(lines(40).map(({ sku, price }, at) => [`field_${at}`, `${sku} ${price}`])),
  },
  'twelve levels deep': { arguments: deep(12) },
  'empty everything': { arguments: { '': '', none: [], nothing: {}, null: null } },
  'no arguments': { arguments: {} },
  'long names of arguments': { arguments: { [`${longWord.toLowerCase()}_${'x'.repeat(60)}`]: 1, [longWord]: 'value' } },
  'SQL whose end undoes its condition': {
    arguments: {
      sql: `UPDATE accounts SET balance = balance + 100 WHERE id IN (${Array.from({ length: 60 }, (_, at) => at).join(', ')}) OR 1 = 1`,
    },
  },
  'SQL of fifty lines': {
    arguments: { query: `${'SELECT id, name\nFROM customers\n'.repeat(25)}; DROP TABLE customers` },
  },
  'address of a lookalike host': { arguments: { url: 'https://hooks.xn--pple-43d.com/services/T000/B000?to=here' } },
  'address with a name before the host': {
    arguments: { url: 'https://bank.example@evil.example:8443/transfer?amount=1' },
  },
  'address of 2,000 characters': {
    arguments: { url: `https://a.example/${'path/'.repeat(400)}?to=evil`, method: 'DELETE' },
  },
  'an address as number': { arguments: { host: '0x7f000001', url: 'http://2130706433/admin' } },
  'minor units': { message: 'Transfer 4.80 EUR for lunch?', arguments: { amount_cents: 48_000_000, currency: 'EUR' } },
  'a number that is in no argument': {
    message: 'Pay 120 EUR to Bob?',
    arguments: { amount: 12_000, currency: 'EUR', to: 'Bob' },
  },
  'very large and very small numbers': {
    arguments: { amount: 1e21, rate: 5e-324, balance: -0.1, id: 9_007_199_254_740_991 },
  },
  'amounts as texts': { arguments: { amount: '1.234,56', total: '1,234.56', currency: 'EUR' } },
  'right to left with an override': {
    arguments: { to: 'شركة النور \u202egnp.exe\u202c للتجارة', file: 'invoice\u202efdp.exe' },
  },
  'Arabic alone': { message: 'هل تريد دفع الفاتورة؟', arguments: { الاسم: 'شركة النور للتجارة العامة', amount: 1482 } },
  'Chinese alone': { message: '请确认付款', arguments: { 收款人: '东京电力株式会社 / 第三结算部', amount: 1482 } },
  'lookalike letters': { arguments: { to: 'раypal', domain: 'аpple.com', name: 'Bоb' } },
  'hidden characters': { arguments: { to: 'Bob\u200b', code: 'a\u00adb\u2060c\ufeff', tag: 'x\u{e0041}\u{e0042}' } },
  'spaces at the edges': { arguments: { to: ' Bob ', path: '/srv/data/ ', note: '\tindented\n' } },
  'controls and escapes': { arguments: { command: 'echo \u001b[31mred\u001b[0m\u0007', bytes: 'a\u0000b' } },
  'emoji and joined signs': { arguments: { note: '👩‍👩‍👧‍👦 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿 e\u0301\u0302\u0303\u0304\u0305\u0306', to: 'Zoë' } },
  'a page of stacked accents': { arguments: { note: `Z${'\u0301\u0310\u035b'.repeat(30)}algo`, to: 'Bob' } },
  'a mail of a page': {
    arguments: { to: ['all@example.com'], subject: 'News', body: 'Dear all,\n\nwe have news.\n'.repeat(60) },
  },
  'a difference of code': {
    arguments: { path: 'src/main.ts', diff: '-const safe = true;\n+const safe = false;\n'.repeat(80) },
  },
  'one line without a space': { arguments: { token: 'x'.repeat(3_000) } },
  'HTML and Markdown as text': {
    arguments: { body: '<img src=x onerror=alert(1)> **bold** [here](javascript:alert(1))' },
  },
  'JSON in a text': { arguments: { payload: JSON.stringify({ amount: 1, to: { iban: 'DE89' }, lines: lines(5) }) } },
  'a question of a page': {
    message: `${'Please approve this at once, for it is urgent. '.repeat(30)}Pay?`,
    arguments: { amount: 1 },
  },
  'a tool with a long name': {
    tool: { name: `tool_${'very_long_'.repeat(9)}name`, title: `${longWord} ${longWord}` },
    arguments: { amount: 5, currency: 'EUR', to: 'Ada' },
  },
  'a form of every field': { ...everyField, arguments: { plan: 'team', source: 'chat' } },
};

/** As a server asks it. */
export const askingOf = (worst: WorstCase): OpenElicitation => ({ ...transfer, message: 'Run it?', ...worst });
