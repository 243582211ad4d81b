export type { AloneOptions } from './elicit-alone.ts';
export type { AskedQuestion } from './asked-question.ts';
export { answerWithDefaults, type AnswerRequest, type DefaultAnswers } from './default-answers.ts';
export {
  completeNotification,
  formRequest,
  readRequest,
  urlRequest,
  type ElicitationRequest,
  type FormParts,
  type FormRequest,
  type UrlRequest,
} from './elicitation-request.ts';
export { accept, cancel, checkResult, decline, type ElicitationResult } from './elicitation-result.ts';
export { fakeHuman, type FakeHuman, type Rule } from './fake-human.ts';
export { nonInteractive, nonInteractiveInCi, type NonInteractiveOptions } from './non-interactive.ts';
export { approve, refuse, timeOut, type Reply, type Vote } from './reply.ts';
