import { sortFiles } from './test/runner/projects.mjs';

/** The day whose samples of the nightly cases are drawn: test/support/runs.ts. */
process.env.TEST_DAY ??= String(Math.floor(Date.now() / 86_400_000));

const begin = (globalSetup) => ({ globalSetup: `<rootDir>/test/runner/${globalSetup}.mjs` });
const end = (globalTeardown) => ({ globalTeardown: `<rootDir>/test/runner/${globalTeardown}.mjs` });
/** What each project starts before its first file, and stops after the last. */
const around = {
  unit: begin('setup-unit'),
  system: { ...begin('setup'), ...end('teardown') },
  whole: { ...begin('setup-whole'), ...end('teardown-whole') },
  nightly: { ...begin('setup-nightly'), ...end('teardown-whole') },
  stock: { ...begin('setup'), ...end('teardown') },
};

const testTimeout = 300_000; // no test measures time; this ends one that hangs, on a slow machine too

const project = ([displayName, files]) => ({
  displayName,
  testMatch: files.map((file) => `<rootDir>/${file}`),
  testEnvironment: '<rootDir>/test/runner/native-environment.mjs',
  runtime: '<rootDir>/test/runner/native-runtime.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/matchers.ts'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  injectGlobals: false,
  modulePathIgnorePatterns: ['<rootDir>/.compiled/'],
  transform: {}, // test/runner/compile.mjs has compiled what runs
  testTimeout,
  ...around[displayName],
});

export default {
  projects: Object.entries(sortFiles()).map(project),
  testTimeout,
  maxWorkers: 2, // much of a test's time is waiting for processes of its own
};
