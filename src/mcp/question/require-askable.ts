import { z } from 'zod';
import { audiences, modes } from '../../model/elicitation.ts';
import { Problem, type FieldError } from '../../model/problem.ts';

/**
 * For code without types: throws INVALID_INPUT, with each path, if message, form or options of `elicit()` have a wrong
 * type.
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
  const isGiven = (typeof asks === 'object' && asks !== null && !Array.isArray(asks)) || typeof asks === 'string';
  return isGiven ? [] : [{ path: ['schema'], message: 'Give a zod object, a JSON Schema or an address.' }];
}

function faultsOfOptions(options: unknown): FieldError[] {
  const { error } = Options.safeParse(options);
  const issues = error?.issues ?? [];
  return issues.map(({ path: [name], message }) => ({
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
    throwUrlRequired: z.boolean(),
  })
  .partial();
