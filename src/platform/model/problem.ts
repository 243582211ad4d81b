import { formatRefusal, type Refusal } from '#requests/inbox/contract/refusal';

/** Every problem code, with the sentence a person reads. A code never changes its meaning. */
export const problemSentences = {
  INVALID_INPUT: 'Check the request: a value in it is invalid.',
  ELICITATION_NOT_SUPPORTED: 'Use another mode: this client cannot ask its person in this way.',
  ELICITATION_TIMEOUT: 'Ask again: no one answered in time.',
  'already-closed': 'Nothing more can be done: this request was already decided or has ended.',
  'not-now': 'Reload the request: this action is not available now.',
  'already-voted': 'You have already voted on this request.',
  'digest-mismatch': 'Read the request again, then decide: it has changed since you saw it.',
  'idempotency-mismatch': 'Use a new idempotency key: this one was used with a different request.',
  'already-executed': 'Ask again for another execution: this approval has already released one.',
  'not-claimed': 'Claim this call first: only the attempt that holds the claim can complete it.',
  'approval-lapsed': 'Ask again: this approval is no longer valid and releases nothing.',
  stopped: 'Wait until an administrator lifts the stop: until then nothing of this runs.',
  'outcome-unknown':
    'Check what happened before you ask again: this call was approved and started, but its end was never recorded.',
  'write-conflict': 'Try again: too many changes arrived together, and nothing was changed.',
  'not-found': 'Check the address: there is nothing here, or you may not see it.',
  unauthenticated: 'Sign in, or send a valid key or token.',
  forbidden: 'Ask an administrator: you may not do this.',
  'reason-needed': 'First say why you want to read this request. Your reason is logged.',
  'fresh-sign-in-needed': 'Confirm who you are, then do this again.',
  'second-factor-needed': 'Finish signing in on the page of the console: a second factor is missing.',
  'passkey-needed': 'Sign with a passkey from your profile.',
  'passkey-refused': 'Try again with your passkey.',
  'cross-site': 'Reload the console and try again: this request came from another site.',
  'token-invalid': 'Ask for a new link: this one is not valid.',
  'sealed-unreadable':
    'Ask an administrator to withdraw this request: it is sealed with a secret that this node does not have.',
  'content-erased': 'Read what is left of this request: its content was erased.',
  unproven: 'Ask an operator to run "assentry audit verify": the stored data is not what was decided.',
  'rate-limited': 'Wait, then try again: there were too many requests.',
  overloaded: 'Wait a second, then send the same request again: this node has too much to do.',
  'body-too-large': 'Send less: the request body is larger than allowed.',
  'unsupported-media-type': 'Send application/json.',
  'method-not-allowed': 'Use another method: this address does not accept this one.',
  'config-invalid': 'Check the configuration: a setting is invalid.',
  'database-unavailable':
    'Send the same request again, with its idempotency key if it had one: the database does not answer, so this may or may not have been stored.',
  'migration-failed': 'Check the database: it could not be brought up to date.',
  'already-exists': 'Choose another name: this one already exists.',
  unavailable: 'Try again later: Assentry cannot be reached.',
  'shutting-down': 'Try again: this node is shutting down.',
  'policy-invalid': 'Correct the policy: it has errors.',
  'policy-unreadable': 'Ask an operator to correct a published policy: it cannot be read.',
  'policy-denied': 'Change the request: the policies deny it.',
  unsatisfiable: 'Ask an administrator: the people who may decide this are too few.',
  'proof-invalid': 'Do not trust this proof: it is not valid.',
  internal: 'Check the state before you repeat this: something went wrong in Assentry.',
} as const;

export type ProblemCode = keyof typeof problemSentences;

/** One thing that is wrong: `path` leads from the root of the input to it, `message` says what to do. */
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
  /** For the audit log only: what was refused, if people are told less. */
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

/** What an error says, for the operator. */
export const describeError = (error: unknown): string =>
  isObject(error) && 'message' in error && typeof error.message === 'string' ? error.message : String(error);

/** The codes of an error and of what caused it, the outermost first. */
export const errorCodes = (error: unknown): string[] => {
  if (!isObject(error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return 'cause' in error ? [...own, ...errorCodes(error.cause)] : own;
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
