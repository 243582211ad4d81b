import { expect, test } from '@jest/globals';
import { fitAnswer } from '#sdk/host/handler';
import { readOptions } from '#sdk/host/options';
import { everyAnswer, everyField } from './fields.ts';

const settings = (applyDefaults = false) =>
  readOptions({ serverName: 'forms', principal: 'host', url: 'http://127.0.0.1:1', apiKey: 'asn_x', applyDefaults });
const formOf = (requestedSchema: Record<string, unknown>) => ({ mode: 'form' as const, message: '?', requestedSchema });

test('an answer that fits leaves as it is', () => {
  expect(fitAnswer(settings(), formOf(everyField), everyAnswer)).toEqual({ content: everyAnswer });
});

test.each([
  ['a required field is missing', { sure: true }],
  ['a type is wrong', { name: 'Ada', sure: 'yes' }],
  ['a bound is broken', { name: 'Ada', sure: true, count: 101 }],
  ['an option is unknown', { name: 'Ada', sure: true, plan: 'gold' }],
  ['the asking server knows a format more narrowly', { name: 'Ada', sure: true, email: 'ada@bücher.example' }],
])('nothing leaves where %s', (_, content) => {
  expect(fitAnswer(settings(), formOf(everyField), content)).toMatchObject({
    reason: 'answer-not-fitting',
    action: 'cancel',
  });
});

test('a schema that cannot be compiled lets nothing leave', () => {
  const broken = formOf({ type: 'object', properties: { a: { type: 'no such type' } } });
  expect(fitAnswer(settings(), broken, { a: 'x' })).toMatchObject({ reason: 'answer-not-fitting' });
});

test('one server cannot lend its schema to another under an $id', () => {
  const shared = { $id: 'https://example.com/form', type: 'object' };
  expect(fitAnswer(settings(), formOf({ ...shared, properties: {} }), {})).toEqual({ content: {} });
  const strict = { ...shared, properties: { a: { type: 'string' } }, required: ['a'] };
  expect(fitAnswer(settings(), formOf(strict), {})).toMatchObject({ reason: 'answer-not-fitting' });
});

test('defaults fill only what is empty, and only if that is wanted', () => {
  const answered = { name: 'Ada', sure: true, count: 1 };
  expect(fitAnswer(settings(), formOf(everyField), answered)).toEqual({ content: answered });
  expect(fitAnswer(settings(true), formOf(everyField), answered)).toEqual({
    content: { ...answered, ratio: 0.5, tier: 's' },
  });
});
