import { problems } from '#locales/refusals.en';
import { formatRefusal, type Refusal } from '#requests/inbox/contract/refusal';

/** Every problem code, with the sentence a person reads. A code never changes its meaning. */
export const problemSentences = problems;

export type ProblemCode = keyof typeof problemSentences;

/** One fault of the input: `path` leads to it from the root, `message` names the remedy. */
export interface FieldError {
  path: (string | number)[];
  message: string;
}

export interface ProblemOptions {
  /** Replaces the code's own sentence; it may be shown to the outside, so it never holds a secret. */
  detail?: string | undefined;
  /** The refusal as data: its sentence is the detail, and each display can word it in its reader's language. */
  refusal?: Refusal;
  errors?: FieldError[];
  /** Seconds after which trying again may help. */
  retryAfter?: number;
  /** For the audit log only: the refused thing, if people are told less. */
  what?: string;
  /** For the audit log only: the ids concerned, and keyed hashes of names that do not exist. */
  about?: readonly string[];
  /** For the log only; never crosses the wire. */
  cause?: unknown;
}

/** The only error a caller can meet: a code from the closed list, and its sentence. */
export class Problem extends Error {
  override readonly name: string = 'Problem';
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[];
  readonly retryAfter: number | null;
  readonly refusal: Refusal | null;
  readonly what: string;
  readonly about: readonly string[];

  constructor(
    code: ProblemCode,
    { detail, refusal, errors = [], retryAfter, what, about: subjects = [], cause }: ProblemOptions = {},
  ) {
    super(
      detail ?? (refusal ? formatRefusal(refusal) : problemSentences[code]),
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
    this.errors = errors;
    this.retryAfter = retryAfter ?? null;
    this.refusal = refusal ?? null;
    this.what = what ?? refusal?.code ?? code;
    this.about = subjects;
  }
}

/** A problem with one value of the input; `message` begins with what to do. */
export const invalidInput = (path: FieldError['path'], message: string): Problem =>
  new Problem('INVALID_INPUT', { errors: [{ path, message }] });

export const isProblemCode = (code: unknown): code is ProblemCode =>
  typeof code === 'string' && Object.hasOwn(problemSentences, code);

// No instanceof: errors of Node belong to another realm if the caller runs in a separate context.

/** Whether an error of Node or of PostgreSQL carries one of these codes (`ENOENT`, `42P04`). */
export const hasErrorCode = (error: unknown, ...codes: string[]): boolean =>
  isObject(error) && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);

/** Message of an error, for the operator. */
export const describeError = (error: unknown): string =>
  isObject(error) && 'message' in error && typeof error.message === 'string' ? error.message : String(error);

/** The codes of an error and its causes, the outermost first. */
export const errorCodes = (error: unknown): string[] => {
  if (!isObject(error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return 'cause' in error ? [...own, ...errorCodes(error.cause)] : own;
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
