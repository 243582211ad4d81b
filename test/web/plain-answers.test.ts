import { expect, test } from '@jest/globals';
import { ProblemDocument } from '#platform/http/contract/problem';
import { SignInWays } from '#access/oidc/contract/sign-in-provider';
import { isShownProblem, signInWaysAnswer } from '../../web/src/requests/inbox/plain-answers.ts';

const google = { key: 'google', name: 'Google' };
const problem = { type: 'about:blank', title: 'No', status: 403, code: 'forbidden', errorId: 'err_0123456789abcdef' };
const refusal = { code: 'acr-needed', values: { acr: 'gold' } };

test.each<[unknown, boolean]>([
  [{ providers: [], passwords: 'allowed' }, true],
  [{ providers: [google], passwords: 'emergency-only', later: 1 }, true],
  [{ providers: [google], passwords: 'never' }, false],
  [{ providers: [{ key: 'google' }], passwords: 'allowed' }, false],
  [{ providers: google, passwords: 'allowed' }, false],
  [{ passwords: 'allowed' }, false],
  [[], false],
  [null, false],
  [undefined, false],
])('the ways to sign in %j are read as by their schema', (body, isAnswer) => {
  expect([signInWaysAnswer.isAnswer(body), SignInWays.safeParse(body).success]).toEqual([isAnswer, isAnswer]);
});

test.each<[unknown, boolean]>([
  [problem, true],
  [{ ...problem, detail: 'Why.', refusal, errors: [{ path: ['a', 0], message: 'Too long.' }] }, true],
  [{ ...problem, refusal: { code: 'has-ended' } }, true],
  [{ ...problem, refusal: { code: 'no-such-refusal' } }, false],
  [{ ...problem, refusal: { code: 'constructor' } }, false],
  [{ ...problem, refusal: { ...refusal, values: { acr: 1 } } }, false],
  [{ ...problem, detail: 1 }, false],
  [{ ...problem, code: undefined }, false],
  [{ ...problem, errorId: null }, false],
  [{ ...problem, errors: [{ path: 'a', message: 'Too long.' }] }, false],
  [{ ...problem, errors: [{ path: [0.5], message: 'Too long.' }] }, false],
  [{ ...problem, errors: [{ path: [] }] }, false],
  ['<html>', false],
  [undefined, false],
])('the problem %j is read as by its schema', (body, isProblem) => {
  expect([isShownProblem(body), ProblemDocument.safeParse(body).success]).toEqual([isProblem, isProblem]);
});
