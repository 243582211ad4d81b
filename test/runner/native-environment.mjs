import { exit } from 'node:process';

const { console } = globalThis;
const { stackTraceLimit } = Error;

/** Jest's test environment without a world of its own: tests run in the worker itself, with the modules it has. */
export default class NativeEnvironment {
  global = globalThis;
  #stops = new Set();
  #hasFailed = false;

  async setup() {
    Error.stackTraceLimit = stackTraceLimit; // Jest wants a hundred frames; the server throws as it does in production
  }

  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) this.#hasFailed = true;
  }

  /** Jest calls no hook of a file that failed to begin, or of which it runs no test: `teardown` does. */
  once(stop) {
    const stopOnce = async () => this.#stops.delete(stopOnce) && (await stop());
    this.#stops.add(stopOnce);
    return stopOnce;
  }

  /** What Jest replaced for one file is put back before the next. */
  async teardown() {
    for (const stop of this.#stops) await stop().catch(() => {}); // of what never began
    process.exit = exit;
    globalThis.console = console;
    const { NIGHTLY, TEST_DAY } = process.env;
    if (this.#hasFailed && NIGHTLY === undefined)
      process.stderr.write(`TEST_DAY=${TEST_DAY} draws the samples of this run again.\n`);
  }

  getVmContext() {
    return null;
  }
}
