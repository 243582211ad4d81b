import { applyDefaults } from '#platform/form/answer';
import type { FormContent } from '#platform/form/schema';
import { accept, checkResult, decline, type ElicitationResult } from './elicitation-result.ts';
import { readRequest, type ElicitationRequest, type FormRequest } from './elicitation-request.ts';

export interface DefaultAnswers {
  /** Values by field name, for every form that has the field; they override the form's own defaults. */
  defaults?: FormContent | undefined;
  /** Answers first; undefined leaves the request to the defaults. */
  answer?: AnswerRequest | undefined;
  /** Gets the reason when a request is declined; by default `console.warn`. */
  warn?: ((reason: string) => void) | undefined;
}

/** What a program that has no person at it answers. */
export type AnswerRequest = (
  request: ElicitationRequest,
) => ElicitationResult | undefined | Promise<ElicitationResult | undefined>;

/**
 * Answers requests if no person can: fills in a form with the given defaults and its own, and declines everything else,
 * including every address, with a warning. Takes the parameters of a request as MCP clients get them, and throws
 * INVALID_INPUT if they are invalid.
 *
 * ```ts
 * const answer = answerWithDefaults({ defaults: { name: 'CI User' } });
 * await answer(formRequest({ message: 'Who?', properties: { name: { type: 'string' } } })); // accept
 * ```
 */
export function answerWithDefaults({ defaults = {}, answer, warn = console.warn }: DefaultAnswers = {}) {
  return async (params: object): Promise<ElicitationResult> => {
    const request = readRequest(params);
    const own = await answer?.(request);
    if (own) return own;
    const result = request.mode === 'url' ? decline(noOneGoes) : fillIn(request, defaults);
    if (result.action === 'decline') warn(`Declined: ${result._meta?.reason}`);
    return result;
  };
}

const noOneGoes = 'No one is there to go to an address.';

function fillIn(request: FormRequest, defaults: FormContent): ElicitationResult {
  const names = Object.keys(request.requestedSchema.properties);
  const pairs = names.flatMap((name) => (Object.hasOwn(defaults, name) ? [[name, defaults[name]]] : []));
  const content = applyDefaults(request.requestedSchema, Object.fromEntries(pairs));
  const checked = checkResult(request, { action: 'accept', content });
  if (checked.ok) return accept(checked.content);
  const faults = checked.errors.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return decline(`No one is there to fill in the form. ${faults.join(' ')}`);
}
