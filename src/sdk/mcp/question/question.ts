import type { OpenElicitation, ElicitationState } from '../../client/client.ts';
import type { Audience, Mode } from '#requests/asking/contract/elicitation';
import type { KeyFact } from '#requests/facts/contract/facts';
import { type FieldError, Problem } from '#platform/model/problem';
import { InvalidInputError } from './errors.ts';
import type { Expects } from '#connect/providers/expects';
import type { z } from 'zod';
import { checkAnswer } from '#platform/form/answer';
import { formSchemaFromZod, parseWithZod, resultSchemaFromZod, type FormShape } from '#platform/form/zod';
import { lintFormSchema, lintResultSchema, type LintResult } from '#platform/form/lint';
import type { FormContent, FormSchema, ResultSchema } from '#platform/form/schema';

/** One `elicit()` in progress. */
export interface Asking {
  question: Question;
  request: OpenElicitation;
  /** Names the question within the call. */
  step: string;
  /** Withdraws the question. */
  signal: AbortSignal;
  /** Reports that it no longer blocks the turn. */
  decided(): void;
}

export interface ElicitOptions extends ModeOptions {
  /** Milliseconds until it expires; by default 300 000 for the requester, a day for approvers. */
  ttl?: number;
  /** Names this question within the call, if the order of questions may change between two runs. */
  key?: string;
  audience?: Audience;
  /** The same as audience 'approvers'. */
  approval?: boolean;
  /** What approvers see next to the buttons: stored arguments, by JSON Pointer. Without it, a rule chooses. */
  facts?: KeyFact[];
  /**
   * Payments and signatures of this call that the decision follows: people see what the providers have confirmed, and one
   * receipt holds both.
   */
  after?: readonly Proven[];
  /** The agent's own words, shown as unverified. */
  reason?: string;
  /**
   * Which open questions this one replaces. By default those of its session; none for approvers and with an outside
   * address. The session's next question never replaces one with an outside address.
   */
  supersede?: 'session' | 'call' | 'none';
  /** Withdraws the question. */
  signal?: AbortSignal;
}

/** What `payment()` and `signature()` resolve with. */
export interface Proven {
  /** Names the request in which the provider has confirmed it; its receipt proves it. */
  readonly proof: string;
}

/** An approver's question to the requester before deciding. */
export type Inquiry = NonNullable<ElicitationState['inquiry']>;

/** Text of the inquiry for the requester: the approver, the subject, and the question. */
export const messageOfInquiry = ({ by, message }: Inquiry, subject: string): string =>
  `${nameOf(by)} must approve "${subject}" and asks you:\n${message}`;

/** Sentence for the model if its client cannot ask its person. */
export const sentenceOfInquiry = ({ by, message }: Inquiry): string =>
  `${nameOf(by)} must approve it and asks the person you work for: "${message}"`;

/** Limit of remembered inquiries; the oldest are forgotten, and may then be shown again. */
const maxKept = 1000;
const ids = new Set<string>();

/** Has a caller of this process already seen it? It then need not return for it again. */
export const isDelivered = ({ id }: Inquiry): boolean => ids.has(id);

export function markDelivered({ id }: Inquiry): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > maxKept && oldest !== undefined) ids.delete(oldest);
}

const nameOf = (by: string): string => by || 'Someone';

/** The faults of an accept's content; empty if it fits. */
export function faultsOf(question: Question, content: unknown): readonly FieldError[] {
  try {
    question.read(content);
    return [];
  } catch (error) {
    if (error instanceof InvalidInputError) return error.details;
    throw error;
  }
}

/** The same question with the faults of the answer. */
export function askAgain<Q extends FormQuestion>(question: Q, faults: readonly FieldError[]): Q {
  const { properties } = question.schema;
  const lines = faults.map(({ path: [name], message }) =>
    name === undefined ? message : `${properties[name]?.title ?? name}: ${message}`,
  );
  return { ...question, message: [question.message, 'The answer does not fit yet.', ...lines].join('\n') };
}

export type ZodForm = z.ZodObject<FormShape>;
/** An MCP form schema written by hand; it is linted before anyone is asked. */
export type JsonForm = FormSchema | { type: 'object'; [keyword: string]: unknown };

interface Asked {
  message: string;
  /** For the MCP client, as `_meta`. */
  meta?: Record<string, unknown>;
  /**
   * Content that satisfies the schema and, for zod, its refinements and transforms; otherwise throws InvalidInputError.
   */
  read(content: unknown): { form: FormContent; value: unknown };
}

export interface FormQuestion extends Asked {
  mode: 'form';
  schema: FormSchema;
}

/** A question that sends the person to an address. */
export interface UrlQuestion extends Asked {
  mode: 'url';
  /** Schema of the result; undefined for none. */
  schema: ResultSchema | undefined;
  /** Address; without it our hosted page. */
  url: string | undefined;
  /** What the person does at a provider. Assentry makes the address, and finds out itself whether it was done. */
  expects?: Expects;
  /** Token that authenticates answers to the question. */
  elicitationId: string | undefined;
  completedBy: 'requester' | undefined;
  /** False leaves the address unchanged. */
  state: boolean | undefined;
  /** Set if the call fails with the address, for the client to call again. */
  isRequired: boolean;
}

export type Question = FormQuestion | UrlQuestion;

export interface ModeOptions {
  /** `url` sends the person to an address, by default to a page of Assentry's own; `form` is the default. */
  mode?: Mode;
  /** Where to go, with mode 'url'. */
  url?: string | URL;
  /** With mode 'url': a token from `generateElicitationToken`, whose callback then brings the result. */
  elicitationId?: string | { token: string };
  /** With mode 'url': an accept must name the requester, who must have been at the connect page. */
  completedBy?: 'requester';
  /** With a `url`: false leaves the address as it is. Otherwise a `state` is added to it, unless it has one. */
  state?: boolean;
  /** With mode 'url': the call fails with UrlElicitationRequiredError, and the client calls again when it is done. */
  throwUrlRequired?: boolean;
}

/** Something to be done at a provider of Assentry's settings, as `connect` asks for it. */
export interface ExpectingAsk {
  expects: Expects;
}

/** Question of the tool's author: a form, the schema of an address's result, just the address, or what is expected. */
export type Asks = ZodForm | JsonForm | string | URL | ExpectingAsk;

/** Question from the author's input; throws INVALID_INPUT if it is invalid. */
export function readQuestion(message: string, asks: Asks, options: ModeOptions = {}): Question {
  if (typeof asks === 'string' || asks instanceof URL) {
    return { ...urlParts(message, { ...options, url: asks }), schema: undefined, read: () => nothing };
  }
  if (isExpecting(asks)) {
    const { throwUrlRequired = false } = options; // Assentry knows address and result
    return { ...urlParts(message, { throwUrlRequired }), ...asks, schema: undefined, read: readProven };
  }
  const isUrl = options.mode === 'url' || (options.mode === undefined && options.url !== undefined);
  if (!isUrl) {
    const schema = requireSchema(isZod(asks) ? formSchemaFromZod(asks) : lintFormSchema(asks));
    return { mode: 'form', message, schema, read: (content) => readContent(asks, schema, content) };
  }
  const schema = requireSchema(isZod(asks) ? resultSchemaFromZod(asks) : lintResultSchema(asks));
  return { ...urlParts(message, options), schema, read: (content) => readContent(asks, schema, content) };
}

/** The question as a form question; throws for others. */
export function requireForm(question: Question): FormQuestion {
  if (question.mode === 'form') return question;
  throw new Problem('INVALID_INPUT', { detail: "Use mode 'url' for an address: it is not a form." });
}

const nothing = { form: {}, value: {} };

/** What Assentry has found out at a provider, which no one typed. */
const readProven = (content: unknown) => {
  const proven = (content ?? {}) as FormContent;
  return { form: proven, value: proven };
};

const urlParts = (
  message: string,
  { url, elicitationId, completedBy, state, throwUrlRequired = false }: ModeOptions,
) => ({
  mode: 'url' as const,
  message,
  url: url === undefined ? undefined : String(url),
  elicitationId: typeof elicitationId === 'object' ? elicitationId.token : elicitationId,
  completedBy,
  state,
  isRequired: throwUrlRequired,
});

function readContent(asks: ZodForm | JsonForm, schema: ResultSchema, content: unknown) {
  const checked = requireContent(schema, content);
  return { form: checked, value: isZod(asks) ? parse(asks, checked) : checked };
}

/** A schema always has a type. */
export const isExpecting = (asks: Asks): asks is ExpectingAsk =>
  typeof asks === 'object' && 'expects' in asks && !('type' in asks);

/** Recognized by its mark, not its class: a tool may have another copy of zod. */
const isZod = (form: ZodForm | JsonForm): form is ZodForm => '_zod' in form;

function requireSchema<S>(lint: LintResult<S>): S {
  if (lint.ok) return lint.schema;
  throw new Problem('INVALID_INPUT', { detail: 'Correct the form: parts of it are invalid.', errors: lint.errors });
}

function requireContent(schema: ResultSchema, content: unknown): FormContent {
  const checked = checkAnswer(schema, { action: 'accept', content });
  if (!checked.ok) throw new InvalidInputError(checked.errors);
  return checked.content ?? {};
}

function parse(form: ZodForm, content: FormContent): unknown {
  const parsed = parseWithZod(form, content);
  if (!parsed.ok) throw new InvalidInputError(parsed.errors);
  return parsed.data;
}
