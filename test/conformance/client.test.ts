import { afterAll, expect, test } from '@jest/globals';
import { listRequests } from '../sdk/mcp/peers.ts';
import { until } from '../support/poll.ts';
import { startTestServer } from '../support/nodes/server.ts';
import { complaints, runClientScenario } from './suite.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const approver = await server.newUser('approver');

test.each([
  ['elicitation-sep1034-client-defaults', 'v1', '2025-11-25', 1],
  ['elicitation-sep1034-client-defaults', 'v2', '2025-11-25', 1],
  ['sep-2322-client-request-state', 'v2', '2026-07-28', 2],
] as const)(
  '%s, with approvers who leave every field as it is, on SDK %s',
  async (scenario, sdk, revision, questions) => {
    const env = { ASSENTRY_URL: server.url, ASSENTRY_API_KEY: await server.newServerKey('conformance') };
    const running = runClientScenario(scenario, `examples/conformance-client/${sdk}.ts`, revision, env);
    for (let answered = 0; answered < questions; answered += 1) await approveNext();
    const checks = await running;
    expect(complaints(checks)).toEqual([]);
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThanOrEqual(5);
  },
  60_000,
);

async function approveNext(): Promise<void> {
  const { id } = await until(async () => (await listRequests(approver))[0]);
  expect((await approver.vote(id, 'accept', {})).ok).toBe(true);
}
