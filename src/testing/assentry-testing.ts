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
export { nonInteractive, nonInteractiveInCi, type NonInteractiveOptions } from './non-interactive.ts';
