import { lintFormSchema, type LintResult } from '#platform/form/lint';
import type { FormSchema } from '#platform/form/schema';
import { Problem, type FieldError } from '#platform/model/problem';

/** The parameters of `elicitation/create` in form mode; clients of all revisions take them without a mode. */
export interface FormRequest {
  mode?: 'form';
  message: string;
  requestedSchema: FormSchema;
}

/** The parameters of `elicitation/create` in URL mode. */
export interface UrlRequest {
  mode: 'url';
  message: string;
  url: string;
  elicitationId: string;
}

export type ElicitationRequest = FormRequest | UrlRequest;

export interface FormParts {
  message: string;
  properties: Record<string, object>;
  required?: readonly string[];
  title?: string;
}

/**
 * Makes a server's request with a form. Throws INVALID_INPUT if MCP does not allow the form.
 *
 * ```ts
 * formRequest({
 *   message: 'Who are you?',
 *   properties: { email: { type: 'string', format: 'email' }, age: { type: 'integer', default: 25 } },
 *   required: ['email'],
 * });
 * ```
 */
export function formRequest({ message, properties, required, title }: FormParts): FormRequest {
  const labels = { ...(title !== undefined && { title }), ...(required && { required: [...required] }) };
  return readRequest({ message, requestedSchema: { type: 'object', properties, ...labels } }) as FormRequest;
}

/** Makes a server's request to go to an address. Throws INVALID_INPUT if a part is missing. */
export const urlRequest = (parts: Omit<UrlRequest, 'mode'>): UrlRequest =>
  readRequest({ mode: 'url', ...parts }) as UrlRequest;

/** Tells a client that the person is done at an address. */
export const completeNotification = (elicitationId: string) => ({
  method: 'notifications/elicitation/complete' as const,
  params: { elicitationId },
});

/** The parameters of an `elicitation/create`, a form without its `$schema`; INVALID_INPUT names each that is wrong. */
export function readRequest(params: unknown): ElicitationRequest {
  const { mode = 'form', message, requestedSchema, url, elicitationId } = (params ?? {}) as Record<string, unknown>;
  const isUrl = mode === 'url';
  const lint: LintResult<FormSchema> | null = isUrl ? null : lintFormSchema(requestedSchema);
  const faults = [
    ...need('mode', mode === 'form' || isUrl, 'Must be form or url.'),
    ...need('message', isFilled(message), 'Say what is asked, and why.'),
    ...need('url', !isUrl || (isFilled(url) && URL.canParse(url)), 'Give the address to go to.'),
    ...need('elicitationId', !isUrl || isFilled(elicitationId), 'Give the id that names this request.'),
    ...(lint?.ok === false ? lint.errors.map((error) => under('requestedSchema', error)) : []),
  ];
  if (faults.length === 0)
    return { ...(params as ElicitationRequest), ...(lint?.ok && { requestedSchema: lint.schema }) };
  throw new Problem('INVALID_INPUT', { detail: 'Correct the request: it is not a valid elicitation.', errors: faults });
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';
const need = (name: string, isMet: boolean, message: string): FieldError[] =>
  isMet ? [] : [{ path: [name], message }];
const under = (name: string, { path, message }: FieldError): FieldError => ({ path: [name, ...path], message });
