import { expect, test } from '@jest/globals';
import { lookDocument } from '#policies/language/rules/look';
import { decide } from '#policies/deciding/rules/decide';
import { isAlwaysDenied } from '#policies/deciding/rules/always-denied';
import { ignoresArguments, isBelieved } from '#policies/deciding/rules/describe';
import { bookOf, read } from '../policies.ts';
import { factsOf } from '../users.ts';

const digest = (sign: string): string => sign.repeat(64);
const tools = [
  { name: 'find', digest: digest('a') },
  { name: 'drop', digest: digest('b') },
  { name: 'insert', digest: digest('c') },
];
const look = { server: 'mongodb', reaches: 'npx -y "mongo"', tools, believe: ['find'], block: ['drop'] };
const document = lookDocument('tools-of-mongodb-1', look);
const generous = 'policy: generous\nmatch: { server: mongodb }\nallow: { ceiling: medium }';
const reading = 'policy: reading\nmatch: { annotations: { readOnlyHint: true } }\nallow: { ceiling: low }';

/** A call of the tool with this first letter of its digest. */
const callOf = (name: string, tool: object = {}, request: object = {}) =>
  factsOf({
    request: { server: 'mongodb', tool: name, audience: 'approvers', ...request },
    tool: {
      definition: digest(name === 'find' ? 'a' : name === 'drop' ? 'b' : 'c'),
      reaches: look.reaches,
      fits: true,
      ...tool,
    },
  } as never);

test('the believed pass whatever their arguments, the blocked are denied, and the rest waits, whatever is more general', () => {
  const book = bookOf(document, generous, reading);
  const [find, drop, insert] = ['find', 'drop', 'insert'].map((name) => callOf(name));
  if (!find || !drop || !insert) throw new Error('no facts');
  expect(decide(book, find)).toMatchObject({ outcome: 'allow', policy: 'tools-of-mongodb-1@1' });
  expect([isBelieved(decide(book, find)), ignoresArguments(book, find)]).toEqual([true, true]);
  expect(decide(book, drop).outcome).toBe('deny');
  expect(isAlwaysDenied(book, drop)).toBe(true);
  expect(decide(book, insert)).toMatchObject({ outcome: 'require', policy: 'tools-of-mongodb-1@1' });
});

test.each([
  ['with arguments outside its definition', callOf('find', { fits: false })],
  ['in another definition', callOf('find', { definition: digest('d') })],
  ['without a definition', callOf('find', { definition: null })],
  ['of a server at another place', callOf('find', { reaches: 'npx evil' })],
  ['of a server at no place', callOf('find', { reaches: null })],
  ['on another server', callOf('find', {}, { server: 'mongodb-2' })],
  ['under another name', callOf('find', {}, { tool: 'finds' })],
  ['that destroys', callOf('find', {}, { risk: 'high', annotations: { destructiveHint: true } })],
])('a believed tool %s waits', (_what, facts) => {
  const verdict = decide(bookOf(document, reading), facts);
  expect(verdict.outcome).toBe('require');
  expect(isBelieved(verdict)).toBe(false);
});

test('nothing but a rule for a definition makes a tool a believed one', () => {
  const broad = 'policy: broad\nwhen: tool.fits\nallow: { ceiling: medium }';
  const verdict = decide(bookOf(broad), callOf('find'));
  expect([verdict.outcome, isBelieved(verdict)]).toEqual(['allow', false]);
});

test('a stricter policy that comes first still decides', () => {
  const first =
    'policy: first\npriority: 20\nmatch: { server: mongodb }\nrequire: { stages: [{ name: S, approvers: anyone }] }';
  expect(decide(bookOf(document, first), callOf('find')).policy).toBe('first@1');
  const never = 'policy: never\nmatch: { tool: find }\ndeny: { reason: No. }';
  expect(decide(bookOf(document, never), callOf('find')).outcome).toBe('deny');
});

test('fifty tools at the longest place make a policy that can be read, and what is blocked is not believed', () => {
  const many = Array.from({ length: 50 }, (_, at) => ({ name: `tool_${at}`, digest: `${at}`.padStart(64, '0') }));
  const names = many.map(({ name }) => name);
  const reaches = 'x "\u200b'.repeat(150);
  expect(read(lookDocument('p', { server: 's', reaches, tools: many, believe: names, block: [] })).rules).toHaveLength(
    3,
  );
  const both = read(lookDocument('p', { server: 's', reaches, tools: many, believe: names, block: names }));
  expect(both.rules.map(({ rule }) => rule.outcome)).toEqual(['deny', 'deny', 'deny']);
});
