import { problemStatus } from '#platform/http/contract/problem';
import type { Mode } from '#requests/asking/contract/elicitation';
import { Problem, type FieldError } from '#platform/model/problem';

/** No one answered within `ttl` milliseconds. Clean up if needed, then rethrow it: the tool must not continue. */
export class ElicitationTimeoutError extends Problem {
  override readonly name = 'ElicitationTimeoutError';
  readonly status = problemStatus.ELICITATION_TIMEOUT;
  readonly elicitId: string;
  readonly ttl: number;

  constructor(elicitId: string, ttl: number) {
    const seconds = Math.round(ttl / 1000);
    super('ELICITATION_TIMEOUT', {
      detail: `Tell the person you work for: no one answered within ${seconds} seconds. The same call would ask again.`,
    });
    this.elicitId = elicitId;
    this.ttl = ttl;
  }
}

/** The client of this call cannot ask its person. */
export class ElicitationNotSupportedError extends Problem {
  override readonly name = 'ElicitationNotSupportedError';
  readonly status = problemStatus.ELICITATION_NOT_SUPPORTED;
  /** Capability that it would have to declare. */
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
 * This run of the tool is over for the caller, who already has a result; rethrow it. It is thrown from `elicit()` so
 * that `finally` blocks run; the tool's own result is dropped.
 */
export class CallEndedError extends Problem {
  override readonly name = 'CallEndedError';

  constructor(detail: string) {
    super('not-now', { detail });
  }
}

/** The caller left after its run had claimed the call and before anything ran: the execution is given back. */
export class NothingRanError extends Problem {
  override readonly name = 'NothingRanError';

  constructor(cause: unknown) {
    super('not-now', { detail: 'The caller has gone. Nothing was run.', cause });
  }
}

/** A hook threw an error that is not a Problem; `cause` has it. The call fails, and nothing more is recorded. */
export class HookFailedError extends Problem {
  override readonly name = 'HookFailedError';
  readonly flow: string;
  readonly stage: string;
  readonly moment: string;

  constructor({ flow, stage, moment }: { flow: string; stage: string; moment: string }, cause: unknown) {
    super('internal', { detail: `Check the hook ${moment} of ${stage} in the ${flow} flow: it failed.`, cause });
    this.flow = flow;
    this.stage = stage;
    this.moment = moment;
  }
}

/** Writes a line to standard error. A runtime without a process has only its console. */
export function tellAuthor(line: string): void {
  const { stderr } = globalThis.process ?? {};
  if (stderr) stderr.write(`${line}\n`);
  else console.error(line);
}
