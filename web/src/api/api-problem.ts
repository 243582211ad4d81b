import { Problem, type ProblemCode, type ProblemOptions } from '../../../src/model/problem.ts';

/** A problem the API answered with; `errorId` finds the occurrence in the operator's log. */
export class ApiProblem extends Problem {
  readonly errorId: string | null;

  constructor(code: ProblemCode, errorId: string | null, options: ProblemOptions = {}) {
    super(code, options);
    this.errorId = errorId;
  }
}

export const isProblemOf = (error: unknown, code: ProblemCode): error is Problem =>
  error instanceof Problem && error.code === code;
