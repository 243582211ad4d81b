import { problemStatus } from '../../contract/http/problem.ts';
import type { Mode } from '../../model/elicitation.ts';
import { Problem, type FieldError } from '../../model/problem.ts';

/** No one answered within `ttl` milliseconds. Clean up if need be, then let it pass: the tool must not go on. */
export class ElicitationTimeoutError extends Problem {
  override readonly name = 'ElicitationTimeoutError';
  readonly status = problemStatus.ELICITATION_TIMEOUT;
  readonly elicitId: string;
  readonly ttl: number;

  constructor(elicitId: string, ttl: number) {
    super('ELICITATION_TIMEOUT', { detail: `No one answered within ${Math.round(ttl / 1000)} seconds.` });
    this.elicitId = elicitId;
    this.ttl = ttl;
  }
}

/** The client in front of this call cannot put the question to its person. */
export class ElicitationNotSupportedError extends Problem {
  override readonly name = 'ElicitationNotSupportedError';
  readonly status = problemStatus.ELICITATION_NOT_SUPPORTED;
  /** What it would have to declare. */
  readonly mode: Mode;

  constructor(detail: string, mode: Mode = 'form') {
    super('ELICITATION_NOT_SUPPORTED', { detail });
    this.mode = mode;
  }
}

/** An answer was accepted whose content does not fit the question; `details` names each field. */
export class InvalidInputError extends Problem {
  override readonly name = 'InvalidInputError';
  readonly status = problemStatus.INVALID_INPUT;
  readonly details: readonly FieldError[];

  constructor(details: readonly FieldError[], detail = 'Invalid elicitation result content') {
    super('INVALID_INPUT', { detail, errors: [...details] });
    this.details = details;
  }
}

/**
 * This run of the tool is over for the caller, who has a result already; let it pass.
 * Thrown out of `elicit()` so that `finally` blocks run; whatever the tool returns after it reaches no one.
 */
export class CallEndedError extends Problem {
  override readonly name = 'CallEndedError';

  constructor(detail: string) {
    super('not-now', { detail });
  }
}

/** A hook threw something that is no Problem; `cause` has it. The call fails, and what was not recorded yet never is. */
export class HookFailedError extends Problem {
  override readonly name = 'HookFailedError';
  readonly flow: string;
  readonly stage: string;
  readonly moment: string;

  constructor({ flow, stage, moment }: { flow: string; stage: string; moment: string }, cause: unknown) {
    super('internal', { detail: `A hook failed: ${moment} of ${stage} in the ${flow} flow.`, cause });
    this.flow = flow;
    this.stage = stage;
    this.moment = moment;
  }
}
