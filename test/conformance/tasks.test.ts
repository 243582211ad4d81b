import { afterAll, describe, expect, test } from '@jest/globals';
import { complaints, startSuite } from './suite.ts';

const suite = await startSuite();
afterAll(() => suite.stop());

describe('the extension for tasks', () => {
  test.each([
    'tasks-lifecycle',
    'tasks-capability-negotiation',
    'tasks-wire-fields',
    'tasks-request-state-removal',
    'tasks-mrtr-input',
    'tasks-request-headers',
    'tasks-dispatch-and-envelope',
    'tasks-required-task-error',
    'tasks-mrtr-composition',
  ])(
    '%s',
    async (scenario) => {
      const checks = await suite.run(scenario, '--force');
      expect(complaints(checks)).toEqual([]);
      expect(checks.filter(({ status }) => status === 'SUCCESS')).not.toEqual([]);
    },
    60_000,
  );
});
