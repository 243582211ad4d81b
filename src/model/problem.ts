import { sayRefusal, type Refusal } from './refusal.ts';

/** Every way Assentry says no, with the sentence a person reads. The keys never change meaning. */
export const problemSentences = {
  INVALID_INPUT: 'Something in the request is not as it must be.',
  ELICITATION_NOT_SUPPORTED: 'The client cannot be asked this way.',
  ELICITATION_TIMEOUT: 'No one answered in time.',
  'already-closed': 'This request has already been decided or has ended.',
  'not-now': 'This request does not take that step at the moment.',
  'already-voted': 'You have already voted on this request.',
  'digest-mismatch': 'The request is not the one you saw. Read it again, then decide.',
  'idempotency-mismatch': 'This idempotency key was used before with a different request.',
  'already-executed': 'This approval has released its one execution.',
  'not-claimed': 'Claim this call first: only the attempt that holds its claim ends it.',
  'approval-lapsed': 'Ask again: this approval would no longer be given, and releases nothing.',
  stopped: 'Wait until it is lifted: an administrator has stopped this, and nothing of it runs.',
  'outcome-unknown':
    'This call was approved and started, but how it ended was never recorded. Check before asking again.',
  'write-conflict': 'Too many changes arrived together. Nothing was changed; try again.',
  'not-found': 'There is nothing here that you may see.',
  unauthenticated: 'Sign in, or send a valid key.',
  forbidden: 'You may not do this.',
  'reason-needed': 'Say first why you look at this request. Your reason is logged.',
  'fresh-sign-in-needed': 'Confirm your password, then do this again.',
  'cross-site': 'This request did not come from the console itself.',
  'token-invalid': 'This link is not valid.',
  'sealed-unreadable':
    'Ask an administrator to withdraw this: its content cannot be read, because it was erased or sealed with a secret that is not known here.',
  unproven: 'What is stored here is not what was decided. Ask an operator to run "assentry audit verify".',
  'rate-limited': 'Too many requests. Wait, then try again.',
  'body-too-large': 'The request body is larger than allowed.',
  'unsupported-media-type': 'Send application/json.',
  'method-not-allowed': 'This address does not take that method.',
  'config-invalid': 'The configuration is not as it must be.',
  'database-unavailable':
    'Send the same again, with its idempotency key if it had one: the database does not answer, and it is not known whether this was stored.',
  'migration-failed': 'The database could not be brought up to date.',
  'already-exists': 'There is already one of that name.',
  unavailable: 'Assentry cannot be reached at the moment.',
  'shutting-down': 'This node is stopping. Ask again.',
  'policy-invalid': 'This policy document cannot be understood.',
  'policy-unreadable': 'A published policy cannot be read.',
  'policy-denied': 'The policies deny this.',
  unsatisfiable: 'No one who may decide this could complete it.',
  'proof-invalid': 'The proof does not hold.',
  internal: 'Look again before you repeat this: something went wrong on our side.',
} as const;

export type ProblemCode = keyof typeof problemSentences;

/** One thing that is wrong: `path` leads from the root of the input to it, `message` says what to do. */
export interface FieldError {
  path: (string | number)[];
  message: string;
}

export interface ProblemOptions {
  /** Replaces the code's own sentence; it may be shown to the outside, so it never holds a secret. */
  detail?: string;
  /** Why, as data: its sentence is the detail, and each face can say it in its reader's language. */
  refusal?: Refusal;
  errors?: FieldError[];
  /** Seconds after which trying again may help. */
  retryAfter?: number;
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

  constructor(code: ProblemCode, { detail, refusal, errors = [], retryAfter, cause }: ProblemOptions = {}) {
    super(
      detail ?? (refusal ? sayRefusal(refusal) : problemSentences[code]),
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
    this.errors = errors;
    this.retryAfter = retryAfter ?? null;
    this.refusal = refusal ?? null;
  }
}

export const isProblemCode = (code: unknown): code is ProblemCode =>
  typeof code === 'string' && Object.hasOwn(problemSentences, code);
