import type { ProblemDocument } from '#platform/http/contract/problem';
import type { NamedProvider, SignInWays } from '#access/oidc/contract/sign-in-provider';
import { refusalCodes, type RefusalCode } from '#requests/inbox/contract/refusal';
import { passwordRules } from '#access/oidc/contract/identity-provider';

/** Checks an answer without a schema: the sign-in page is drawn before the schemas arrive. */
export interface PlainAnswer<T> {
  isAnswer: (body: unknown) => body is T;
}

export const signInWaysAnswer: PlainAnswer<SignInWays> = {
  isAnswer: (body): body is SignInWays =>
    isObject(body) &&
    isListOf(body['providers'], isNamedProvider) &&
    passwordRules.some((rule) => rule === body['passwords']),
};

/** Members of a problem document that the console reads. */
type ShownProblem = Pick<ProblemDocument, 'code' | 'detail' | 'refusal' | 'errorId' | 'errors'>;

export const isShownProblem = (body: unknown): body is ShownProblem =>
  isObject(body) &&
  isText(body['code']) &&
  isText(body['errorId']) &&
  isMissingOr(body['detail'], isText) &&
  isMissingOr(body['refusal'], isRefusal) &&
  isMissingOr(body['errors'], (errors) => isListOf(errors, isFault));

const isNamedProvider = (value: unknown): value is NamedProvider =>
  isObject(value) && isText(value['key']) && isText(value['name']);

const isRefusal = (value: unknown): boolean =>
  isObject(value) &&
  refusalCodes.includes(value['code'] as RefusalCode) &&
  isMissingOr(value['values'], (values) => isObject(values) && Object.values(values).every(isText));

const isFault = (value: unknown): boolean =>
  isObject(value) &&
  isText(value['message']) &&
  isListOf(value['path'], (step) => isText(step) || Number.isInteger(step));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isListOf = (value: unknown, isMember: (member: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isMember);
const isMissingOr = (value: unknown, isValue: (value: unknown) => boolean): boolean =>
  value === undefined || isValue(value);
