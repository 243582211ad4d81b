import { Problem, type ProblemCode, type ProblemOptions } from '#platform/model/problem';

/** A problem the API answered with; `errorId` finds the occurrence in the operator's log. */
export class ApiProblem extends Problem {
  readonly errorId: string | null;
  /** Was the answer of a shape that this page cannot read? */
  readonly isUnreadable: boolean;

  constructor(code: ProblemCode, errorId: string | null, options: ProblemOptions & { isUnreadable?: boolean } = {}) {
    super(code, options);
    this.errorId = errorId;
    this.isUnreadable = options.isUnreadable === true;
  }
}

export const isProblemOf = (error: unknown, code: ProblemCode): error is Problem =>
  error instanceof Problem && error.code === code;
