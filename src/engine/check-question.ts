import { lintFormSchema } from '../form/lint.ts';
import type { FormSchema } from '../form/schema.ts';
import type { Mode } from '../model/elicitation.ts';
import { Problem, type FieldError } from '../model/problem.ts';

/** What is asked, once it is known to be askable. */
export interface CheckedQuestion {
  schema: FormSchema | null;
  url: string | null;
}

/** The schema or the address a question carries; problem INVALID_INPUT with the path of everything wrong. */
export function checkQuestion(mode: Mode, schema: unknown, url: string | undefined): CheckedQuestion {
  const result = mode === 'form' ? checkForm(schema, url) : checkUrl(schema, url);
  if (Array.isArray(result)) throw new Problem('INVALID_INPUT', { errors: result });
  return result;
}

const askNothing: FormSchema = { type: 'object', properties: {} };

function checkForm(schema: unknown, url: string | undefined): CheckedQuestion | FieldError[] {
  if (url !== undefined) return [{ path: ['url'], message: "A form has no address; use mode 'url' for one." }];
  const lint = lintFormSchema(schema ?? askNothing);
  if (lint.ok) return { schema: lint.schema, url: null };
  return lint.errors.map(({ path, message }) => ({ path: ['schema', ...path], message }));
}

function checkUrl(schema: unknown, url: string | undefined): CheckedQuestion | FieldError[] {
  const sentence = urlFault(url);
  if (sentence) return [{ path: ['url'], message: sentence }];
  if (schema === undefined) return { schema: null, url: url ?? null };
  const lint = lintFormSchema(schema);
  if (lint.ok) return { schema: lint.schema, url: url ?? null };
  return lint.errors.map(({ path, message }) => ({ path: ['schema', ...path], message }));
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What is wrong with this address, or null: people are only sent where they can see where they are. */
function urlFault(url: string | undefined): string | null {
  if (url === undefined) return "Mode 'url' needs an address.";
  if (!URL.canParse(url)) return 'This is not an absolute address.';
  const { protocol, username, password, hostname } = new URL(url);
  if (username || password) return 'An address must not carry a name or a password.';
  if (protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))) return null;
  return 'Use https; http is for loopback addresses only.';
}
