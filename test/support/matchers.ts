import { expect } from '@jest/globals';
import { Problem, type ProblemCode } from '#platform/model/problem';

declare module 'expect' {
  interface Matchers<R> {
    /** The function (or the promise's rejection) is a Problem of this code. */
    toThrowProblem(code: ProblemCode): R;
  }
}
declare global {
  namespace jest {
    interface Matchers<R> {
      toThrowProblem(code: ProblemCode): R;
    }
  }
}

function thrownBy(received: unknown): unknown {
  if (typeof received !== 'function') return received;
  try {
    received();
    return undefined;
  } catch (error) {
    return error;
  }
}

expect.extend({
  toThrowProblem(received: unknown, code: ProblemCode) {
    const error = thrownBy(received);
    const pass = error instanceof Problem && error.code === code;
    const got = error instanceof Problem ? error.code : String(error);
    return { pass, message: () => `expected ${pass ? 'no ' : ''}problem ${code}, got ${got}` };
  },
});
