const ts = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { decoratorVersion: '2023-11' },
  },
};
const tsx = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
  },
};

export default {
  testEnvironment: 'node',
  forceExit: true, // a test that fails half-way may leave a socket open; the run must still end
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/test/**/*.test.tsx'],
  globalSetup: '<rootDir>/test/support/setup.ts',
  globalTeardown: '<rootDir>/test/support/teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/matchers.ts'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  testTimeout: 30_000,
  maxWorkers: 2, // much of a test's time is waiting for processes of its own
  transform: {
    '\\.ts$': ['@swc/jest', ts],
    '\\.tsx$': ['@swc/jest', tsx],
  },
};
