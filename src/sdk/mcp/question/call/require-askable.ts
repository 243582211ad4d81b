import { z } from 'zod';
import { audiences, modes } from '#requests/asking/contract/elicitation';
import { Problem, type FieldError } from '#platform/model/problem';
import { formatUnknown } from '#platform/text/nearest-name';

/**
 * For code without types: throws INVALID_INPUT, with each path, if message, form or options of `elicit()` have a wrong
 * type, or if there is no such option.
 */
export function requireAskable(message: unknown, asks: unknown, options: unknown): void {
  const errors = [...faultsOfMessage(message), ...faultsOfForm(asks), ...faultsOfOptions(options)];
  if (errors.length > 0)
    throw new Problem('INVALID_INPUT', { detail: 'Correct the question: parts of it are invalid.', errors });
}

const faultsOfMessage = (message: unknown): FieldError[] =>
  typeof message === 'string' && message !== ''
    ? []
    : [{ path: ['message'], message: 'Give a message that says what is asked.' }];

function faultsOfForm(asks: unknown): FieldError[] {
  const message = adviceOn(asks);
  return message === null ? [] : [{ path: ['schema'], message }];
}

/** Null if it is what can be asked with, as far as its shape shows. */
function adviceOn(asks: unknown): string | null {
  if (typeof asks === 'string') return null;
  if (typeof asks !== 'object' || asks === null || Array.isArray(asks))
    return 'Give a zod object, a JSON Schema or an address.';
  if (isZod3(asks))
    return 'Write the form with zod 4: this one is of zod 3. A project with both imports it from "zod/v4".';
  const isShape = Object.values(asks).some((field) => isZod3(field) || isZod4(field));
  return isShape && !isZod4(asks) ? 'Wrap these fields in z.object({ … }).' : null;
}

/** By their marks, not their classes: a tool may have another copy of zod. */
const isZod4 = (value: unknown): boolean => typeof value === 'object' && value !== null && '_zod' in value;
const isZod3 = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '_def' in value && !('_zod' in value);

function faultsOfOptions(options: unknown): FieldError[] {
  const { data, error } = Options.safeParse(options);
  if (!error) return faultsOfNames(data, Object.keys(Options.shape));
  return error.issues.map(({ path: [name], message }) => ({
    path: name === undefined ? ['options'] : [String(name)],
    message,
  }));
}

/** By its methods, not its class: it may come from another realm. */
const isSignal = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value;

const Options = z
  .looseObject({
    ttl: z.number(),
    key: z.string(),
    audience: z.enum(audiences),
    approval: z.boolean(),
    facts: z.array(z.looseObject({ label: z.string(), path: z.string() })),
    reason: z.string(),
    supersede: z.enum(['session', 'call', 'none']),
    signal: z.custom(isSignal, 'Give an AbortSignal.'),
    mode: z.enum(modes),
    url: z.union([z.string(), z.instanceof(URL)], 'Give an address.'),
    elicitationId: z.union([z.string(), z.looseObject({ token: z.string() })], 'Give a token.'),
    completedBy: z.literal('requester'),
    state: z.boolean(),
    throwUrlRequired: z.boolean(),
  })
  .partial();

/** For code without types: a misspelt option would silently do nothing. */
const faultsOfNames = (options: object, names: readonly string[]): FieldError[] =>
  Object.keys(options)
    .filter((name) => !names.includes(name))
    .map((name) => ({ path: [name], message: formatUnknown('option', name, names) }));
