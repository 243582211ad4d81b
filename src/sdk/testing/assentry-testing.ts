export type { AloneOptions } from './ending/elicit-alone.ts';
export type { AskedQuestion } from './ending/asked-question.ts';
export { answerWithDefaults, type AnswerRequest, type DefaultAnswers } from './ending/default-answers.ts';
export {
  completeNotification,
  formRequest,
  readRequest,
  urlRequest,
  type ElicitationRequest,
  type FormParts,
  type FormRequest,
  type UrlRequest,
} from './ending/elicitation-request.ts';
export { accept, cancel, checkResult, decline, type ElicitationResult } from './ending/elicitation-result.ts';
export { fakeHuman, type FakeHuman, type Rule } from './fake-human/fake-human.ts';
export { nonInteractive, nonInteractiveInCi, type NonInteractiveOptions } from './fake-human/non-interactive.ts';
export { approve, refuse, timeOut, type Reply, type Vote } from './ending/reply.ts';
