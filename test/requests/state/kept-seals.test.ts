import { expect, test } from '@jest/globals';
import { newId } from '#platform/crypto/random';
import {
  openDecision,
  openQuestion,
  openVerdict,
  sealDecision,
  sealQuestion,
  sealVerdict,
  type Question,
} from '#requests/asking/verbs/question';
import { rewrapKeys } from '#platform/crypto/seal';
import { openPassed, sealPassed } from '#requests/asking/verbs/passed-calls';
import { newRing, oldRing, rotatedRing } from '../../platform/crypto/rings.ts';

const question: Question = {
  message: 'Go on?',
  schema: null,
  url: null,
  completedBy: undefined,
  facts: [],
  arguments: '{}',
  reason: null,
  audience: null,
  takesEdits: false,
  nonce: 'n',
  code: null,
  requester: { subject: 'alice', verified: true },
  tool: { title: null, description: null, annotations: null, schemaDigest: null },
};
const id = newId('elicitation');
const keys = { id, ...sealQuestion(oldRing, id, { server: 'srv_1', session: 's' }, question) };
const verdict = { policy: 'built-in@1', at: new Date(0), left: undefined };
const row = {
  ...keys,
  explanation: sealVerdict(oldRing, keys, verdict),
  answer: sealDecision(oldRing, keys, { comment: 'No.' }),
};
const stored = { ...row, ...copies(['owner', 'dataKey', 'payload', 'explanation', 'answer']) };

function copies(columns: ('owner' | 'dataKey' | 'payload' | 'explanation' | 'answer')[]) {
  return Object.fromEntries(columns.map((column) => [column, Buffer.from(row[column])]));
}

test('who sealed a value reads what everyone reads from the seal', () => {
  expect(openQuestion(oldRing, row)).toStrictEqual(openQuestion(oldRing, stored));
  expect(openVerdict(oldRing, row)).toStrictEqual(openVerdict(oldRing, stored));
  expect(openVerdict(oldRing, row)).toStrictEqual({ policy: 'built-in@1', at: '1970-01-01T00:00:00.000Z' });
  expect(openDecision(oldRing, row)).toStrictEqual(openDecision(oldRing, stored));
});

test('no one changes what others read, nor what was sealed', () => {
  const opened = openVerdict(oldRing, row) as { policy: string };
  expect(() => (opened.policy = 'other@1')).toThrow(TypeError);
  verdict.policy = 'other@1';
  expect(openVerdict(oldRing, row)).toMatchObject({ policy: 'built-in@1' });
  verdict.policy = 'built-in@1';
});

test('what was sealed for one place, row or ring opens nowhere else', () => {
  const misplaced = { ...row, payload: row.explanation, explanation: row.answer, answer: row.payload };
  for (const open of [openQuestion, openVerdict, openDecision])
    expect(() => open(oldRing, misplaced)).toThrowProblem('sealed-unreadable');
  expect(() => openVerdict(oldRing, { ...row, id: newId('elicitation') })).toThrowProblem('sealed-unreadable');
  expect(() => openVerdict(newRing, row)).toThrowProblem('sealed-unreadable');
  expect(() => openDecision(oldRing, { ...row, dataKey: null as never })).toThrowProblem('content-erased');
});

test('the arguments of a call that passed open for that call alone, also after its keys were sealed again', () => {
  const content = { arguments: '{"path":"/a"}', length: 13, requester: { subject: 'alice', verified: true } };
  const [call, other] = [newId('entry'), newId('entry')];
  const sealed = { id: call, ...sealPassed(oldRing, call, { server: 'srv_1', session: 'alice' }, content).row };
  expect(openPassed(oldRing, sealed)).toEqual(content);
  const again = { ...sealed, ...rewrapKeys(rotatedRing, 'passed_call', sealed) };
  expect(openPassed(newRing, again)).toEqual(content);
  expect(() => openPassed(newRing, sealed)).toThrowProblem('sealed-unreadable');
  expect(() => openPassed(oldRing, { ...sealed, id: other })).toThrowProblem('sealed-unreadable');
  expect(() => openPassed(oldRing, { ...sealed, dataKey: null })).toThrowProblem('content-erased');
});
