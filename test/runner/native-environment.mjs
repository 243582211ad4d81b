import { exit } from 'node:process';

const { console } = globalThis;
const { stackTraceLimit } = Error;

/** Jest's test environment without a world of its own: tests run in the worker itself, with the modules it has. */
export default class NativeEnvironment {
  global = globalThis;

  async setup() {
    Error.stackTraceLimit = stackTraceLimit; // Jest wants a hundred frames; the server throws as it does in production
  }

  /** What Jest replaced for one file is put back before the next. */
  async teardown() {
    process.exit = exit;
    globalThis.console = console;
  }

  getVmContext() {
    return null;
  }
}
