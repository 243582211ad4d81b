import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { compiled } from './compile.mjs';
import { setGlobals } from './globals.mjs';

const require = createRequire(import.meta.url);
const asyncHooks = require('node:async_hooks');
const sourceMaps = new Map(); // empty: the maps stand next to the compiled files
/** From Node.js 24 on, a storage needs no hooks on promises, and its class cannot be replaced. */
const needsHooks = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage').writable === true;
let files = 0;

/**
 * Jest's runtime that evaluates compiled modules with Node's own loader. A worker keeps them: the server is evaluated
 * once and not for each file. Only the test file and what collects its tests are evaluated for each.
 */
class NativeRuntime {
  #testPath;
  #testTimeout;
  #environment;
  /** Those of the file's jest-circus. */
  #storages = [];

  constructor({ testTimeout }, environment, _resolver, _transformer, _cacheFS, _coverage, testPath) {
    this.#testTimeout = testTimeout;
    this.#environment = environment;
    this.#testPath = testPath;
  }

  setGlobalsForRuntime(globals) {
    setGlobals({ ...globals, afterAll: (stop) => globals.afterAll(this.#environment.once(stop)) });
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(file) {
    const { href } = pathToFileURL(compiled(file));
    return file === this.#testPath ? this.#begin(`${href}?run=${++files}`) : import(href);
  }

  /** A file awaits what its tests share, and has as long for it as a test. */
  async #begin(href) {
    const begun = new AbortController();
    const late = setTimeout(this.#testTimeout, undefined, { signal: begun.signal }).then(() => {
      throw new Error(`Look for what hangs: this file has not begun its tests within ${this.#testTimeout} ms.`);
    });
    try {
      await Promise.race([import(href), late]);
    } finally {
      begun.abort();
    }
  }

  /** Jest asks for one file of its own here: a fresh jest-circus. */
  requireInternalModule(file) {
    delete require.cache[file];
    delete globalThis[Symbol.for('EVENT_HANDLERS')]; // else the files before would hear of this one's events
    return this.#noteStorages(() => require(file));
  }

  #noteStorages(evaluate) {
    if (!needsHooks) return evaluate();
    const { AsyncLocalStorage } = asyncHooks;
    const storages = this.#storages;
    asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
      constructor(...options) {
        super(...options);
        storages.push(this);
      }
    };
    try {
      return evaluate();
    } finally {
      asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
    }
  }

  requireModule(file) {
    return require(file);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {}
  enterTestCode() {}
  leaveTestCode() {}

  /** A storage that stays enabled makes each promise of all later files slower. */
  teardown() {
    for (const storage of this.#storages) storage.disable();
  }
}

export { NativeRuntime as default };
export const __esModule = true; // Jest requires this file and takes its default
