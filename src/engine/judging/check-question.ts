import { lintFormSchema, lintResultSchema } from '../../form/lint.ts';
import type { FormSchema, ResultSchema } from '../../form/schema.ts';
import type { Audience, Mode } from '../../model/elicitation.ts';
import { faultOfAddress } from '../../model/names.ts';
import { Problem, type FieldError } from '../../model/problem.ts';
import { isLoopback } from '../../model/loopback.ts';

/** What is asked, once it is known to be askable. */
export interface CheckedQuestion {
  schema: ResultSchema | null;
  /** Null in URL mode: our hosted page. */
  url: string | null;
}

interface AskedQuestion {
  mode: Mode;
  schema?: unknown;
  url?: string | undefined;
}

/** The schema or the address a question carries; problem INVALID_INPUT with the path of everything wrong. */
export function checkQuestion({ mode, schema, url }: AskedQuestion, audience: Audience): CheckedQuestion {
  const result = mode === 'form' ? checkForm(schema, url) : checkUrl(schema, url, audience);
  if (Array.isArray(result)) throw new Problem('INVALID_INPUT', { errors: result });
  return result;
}

const askNothing: FormSchema = { type: 'object', properties: {} };

function checkForm(schema: unknown, url: string | undefined): CheckedQuestion | FieldError[] {
  if (url !== undefined) return [{ path: ['url'], message: "A form has no address; use mode 'url' for one." }];
  const lint = lintFormSchema(schema === undefined ? askNothing : schema);
  if (lint.ok) return { schema: lint.schema, url: null };
  return lint.errors.map(({ path, message }) => ({ path: ['schema', ...path], message }));
}

function checkUrl(schema: unknown, url: string | undefined, audience: Audience): CheckedQuestion | FieldError[] {
  const sentence = url === undefined ? hostedFault(audience) : urlFault(url);
  if (sentence) return [{ path: ['url'], message: sentence }];
  if (schema === undefined) return { schema: null, url: url ?? null };
  // What approvers fill in is a form, and never someone else's secret.
  const lint = audience === 'approvers' ? lintFormSchema(schema) : lintResultSchema(schema);
  if (lint.ok) return { schema: lint.schema, url: url ?? null };
  return lint.errors.map(({ path, message }) => ({ path: ['schema', ...path], message }));
}

/** The hosted page is the requester's; approvers have the console. */
const hostedFault = (audience: Audience): string | null =>
  audience === 'requester' ? null : "For approvers, mode 'url' needs an address.";

/** What is wrong with this address, or null: people are only sent where they can see where they are. */
function urlFault(url: string): string | null {
  const fault = faultOfAddress(url);
  if (fault !== null) return fault;
  const { protocol, username, password } = new URL(url);
  if (username || password) return 'An address must not carry a name or a password.';
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(url))) return null;
  return 'Use https; http is for loopback addresses only.';
}
