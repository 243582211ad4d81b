import { lintFormSchema, lintResultSchema } from '#platform/form/lint';
import type { FormSchema, ResultSchema } from '#platform/form/schema';
import type { Audience, Mode } from '#requests/asking/contract/elicitation';
import { faultOfTarget, type KeyFact } from '#requests/facts/contract/facts/key-fact';
import { faultOfAddress, isPrivateAddress } from '#platform/model/names';
import { invalidInput, Problem, type FieldError } from '#platform/model/problem';

/** A question that may be asked. */
export interface CheckedQuestion {
  schema: ResultSchema | null;
  /** Null in URL mode: our hosted page. */
  url: string | null;
}

interface AskedQuestion {
  mode: Mode;
  schema?: unknown;
  url?: string | undefined;
  completedBy?: 'requester' | undefined;
  state?: boolean | undefined;
}

/** The schema or the address a question carries; problem INVALID_INPUT with the path of everything wrong. */
export function checkQuestion(question: AskedQuestion, audience: Audience): CheckedQuestion {
  const { mode, schema, url, completedBy } = question;
  if (mode === 'form' && completedBy !== undefined) {
    const message = "Use mode 'url': no one reports who has filled in a form.";
    throw invalidInput(['completedBy'], message);
  }
  const stateFault = faultOfState(question, audience);
  if (stateFault) throw invalidInput(['state'], stateFault);
  const result = mode === 'form' ? checkForm(schema, url) : checkUrl(schema, url, audience);
  if (Array.isArray(result)) throw new Problem('INVALID_INPUT', { errors: result });
  return result;
}

const askNothing: FormSchema = { type: 'object', properties: {} };

function checkForm(schema: unknown, url: string | undefined): CheckedQuestion | FieldError[] {
  if (url !== undefined) return [{ path: ['url'], message: "Use mode 'url' for an address: a form has none." }];
  const lint = lintFormSchema(schema === undefined ? askNothing : schema);
  if (lint.ok) return { schema: lint.schema, url: null };
  return lint.errors.map(({ path, message }) => ({ path: ['schema', ...path], message }));
}

function checkUrl(schema: unknown, url: string | undefined, audience: Audience): CheckedQuestion | FieldError[] {
  const sentence = url === undefined ? hostedFault(audience) : urlFault(url);
  if (sentence) return [{ path: ['url'], message: sentence }];
  if (schema === undefined) return { schema: null, url: url ?? null };
  // Approvers fill in a form, and never someone else's secret.
  const lint = audience === 'approvers' ? lintFormSchema(schema) : lintResultSchema(schema);
  if (lint.ok) return { schema: lint.schema, url: url ?? null };
  return lint.errors.map(({ path, message }) => ({ path: ['schema', ...path], message }));
}

/** Refuses key facts that lead nowhere, each by its path: people would decide without what its author meant to show. */
export function checkFacts(args: Record<string, unknown>, facts: KeyFact[] = []): void {
  const errors = facts.flatMap(({ path }, at): FieldError[] => {
    const message = faultOfTarget(args, path);
    return message === null ? [] : [{ path: ['facts', at, 'path'], message }];
  });
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
}

/** The hosted page is the requester's; approvers have the console. */
const hostedFault = (audience: Audience): string | null =>
  audience === 'requester' ? null : "Give an address: for approvers, mode 'url' needs one.";

/** What is wrong with this address, or null if nothing is: people must be able to see where they are sent. */
function urlFault(url: string): string | null {
  const fault = faultOfAddress(url);
  if (fault !== null) return fault;
  const { username, password } = new URL(url);
  if (username || password) return 'Remove the user name and password from the address.';
  return isPrivateAddress(url) ? null : 'Use https; http is for loopback addresses only.';
}

/** A signature may cover the whole address, so its author says whether anything may be added. */
function faultOfState({ mode, url, state }: AskedQuestion, audience: Audience): string | null {
  const isPlain = mode === 'form' || url === undefined || !URL.canParse(url);
  if (isPlain) return state === undefined ? null : 'Give an address for it: `state` is added to nothing else.';
  if (state !== undefined || audience !== 'requester') return null;
  const isSigned = [...new URL(url).searchParams.keys()].some((name) => signatureNames.has(name.toLowerCase()));
  if (!isSigned) return null;
  return 'Say `state: false` to leave this signed address as it is, or `state: true` if it may get a `state`.';
}

const signatureNames = new Set(['signature', 'sig', 'hmac', 'x-amz-signature', 'x-goog-signature', 'x-oss-signature']);
