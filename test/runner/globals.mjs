import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';

// What compiled tests import in place of `@jest/globals`, which works inside Jest's own module loader only.
export let afterAll, afterEach, beforeAll, beforeEach, describe, test;
export const expect = jestExpect;
export const jest = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });

/** Each test file has a fresh jest-circus; modules that stay in the worker see that of the file at work. */
export function setGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, test } = globals);
}
