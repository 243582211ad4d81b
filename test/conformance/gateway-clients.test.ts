import { afterAll, expect, test } from '@jest/globals';
import { startTestServer } from '../support/nodes/server.ts';
import { runClientScenario, type Check } from './suite.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const resources =
  'policy: resources\nmatch: { server: [gated], tool: assentry.resource }\nallow: { ceiling: medium }\n';
await server.applyPolicies(['policy: free\nmatch: { server: [gated] }\nallow: { ceiling: medium }\n', resources]);

test.each([
  ['initialize', 'v1', '2025-11-25'],
  ['initialize', 'v2', '2025-11-25'],
  ['tools_call', 'v1', '2025-11-25'],
  ['tools_call', 'v2', '2025-11-25'],
  ['tools_call', 'v2', '2026-07-28'],
  ['elicitation-sep1034-client-defaults', 'v1', '2025-11-25'],
  ['elicitation-sep1034-client-defaults', 'v2', '2025-11-25'],
  ['sse-retry', 'v1', '2025-11-25'],
  ['sse-retry', 'v2', '2025-11-25'],
  ['json-schema-2020-12-preservation', 'v1', '2025-11-25'],
  ['json-schema-2020-12-preservation', 'v2', '2026-07-28'],
  ['json-schema-ref-no-deref', 'v2', '2026-07-28'],
  ['request-metadata', 'v2', '2026-07-28'],
  ['sep-2322-client-request-state', 'v2', '2026-07-28'],
  ['http-standard-headers', 'v2', '2026-07-28'],
  ['http-custom-headers', 'v2', '2026-07-28'],
  ['http-invalid-tool-headers', 'v2', '2026-07-28'],
] as const)(
  '%s, on SDK %s with %s, gives the same results directly and through the gateway',
  async (scenario, sdk, revision) => {
    const client = (env: Record<string, string>) =>
      runClientScenario(scenario, 'test/conformance/scenario-client.ts', revision, env, [sdk]);
    const direct = resultsOf(await client({}));
    const gated = resultsOf(
      await client({ ASSENTRY_URL: server.url, ASSENTRY_API_KEY: await server.newServerKey('gated') }),
    );
    expect(direct.filter((result) => result.endsWith('SUCCESS'))).not.toEqual([]);
    expect(gated).toEqual(direct);
  },
  90_000,
);

/** Each check by its name; what is only told differs by the gateway's own requests. */
const resultsOf = (checks: Check[]): string[] =>
  checks
    .filter(({ status }) => status !== 'INFO')
    .map(({ id, name, status }) => `${id} ${name}: ${status}`)
    .toSorted();
