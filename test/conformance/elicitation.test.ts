import { afterAll, describe, expect, test } from '@jest/globals';
import { complaints, startSuite } from './suite.ts';

const suite = await startSuite();
afterAll(() => suite.stop());

async function pass(scenario: string, ...options: string[]): Promise<void> {
  const checks = await suite.run(scenario, ...options);
  expect(complaints(checks)).toEqual([]);
  expect(checks.filter(({ status }) => status === 'SUCCESS')).not.toEqual([]);
}

describe('clients of 2025-11-25', () => {
  test.each([
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'tools-call-with-progress',
    'server-session-lifecycle',
    'dns-rebinding-protection',
  ])('%s', (scenario) => pass(scenario, '--spec-version', '2025-11-25'), 60_000);
});

describe('clients of 2026-07-28', () => {
  test.each([
    'input-required-result-basic-elicitation',
    'input-required-result-basic-sampling',
    'input-required-result-basic-list-roots',
    'input-required-result-request-state',
    'input-required-result-multiple-input-requests',
    'input-required-result-multi-round',
    'input-required-result-missing-input-response',
    'input-required-result-non-tool-request',
    'input-required-result-result-type',
    'input-required-result-unsupported-methods',
    'input-required-result-tampered-state',
    'input-required-result-capability-check',
    'input-required-result-validate-input',
    'server-stateless',
    'http-header-validation',
  ])('%s', (scenario) => pass(scenario, '--spec-version', '2026-07-28'), 60_000);

  test('input-required-result-ignore-extra-params warns: answers that come without a state answer nothing', async () => {
    const checks = await suite.run('input-required-result-ignore-extra-params', '--spec-version', '2026-07-28');
    expect(complaints(checks)).toEqual([
      expect.stringMatching(/^sep-2322-ignore-unexpected-params: .* not return complete/),
    ]);
    expect(checks[0]).toMatchObject({ status: 'WARNING', details: { result: { resultType: 'input_required' } } });
  });
});
