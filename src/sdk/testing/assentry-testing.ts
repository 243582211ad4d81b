export type { AloneOptions } from './ending.ts';
export type { AskedQuestion } from './ending.ts';
export { answerWithDefaults, type AnswerRequest, type DefaultAnswers } from './ending.ts';
export {
  completeNotification,
  formRequest,
  readRequest,
  urlRequest,
  type ElicitationRequest,
  type FormParts,
  type FormRequest,
  type UrlRequest,
} from './ending.ts';
export { accept, cancel, checkResult, decline, type ElicitationResult } from './ending.ts';
export { fakeHuman, type FakeHuman, type Rule } from './fake-human.ts';
export {
  fakeProvider,
  type FakeAccount,
  type FakeProvider,
  type FakeProviderOptions,
  type Lies,
} from './fake-provider.ts';
export { nonInteractive, nonInteractiveInCi, type NonInteractiveOptions } from './fake-human.ts';
export { approve, refuse, timeOut, type Reply, type Vote } from './ending.ts';
