import { afterAll, expect, test } from '@jest/globals';
import { createClient } from '#sdk/client/client';
import { startGate } from '../gateway/http/peers.ts';
import { startSuite } from './suite.ts';

const suite = await startSuite();
const { server } = suite;
const resources =
  'policy: resources\nmatch: { server: [gated], tool: assentry.resource }\nallow: { ceiling: medium }\n';
await server.applyPolicies(['policy: free\nmatch: { server: [gated] }\nallow: { ceiling: medium }\n', resources]);
const client = createClient({ url: server.url, apiKey: await server.newServerKey('gated') });
const gateway = await startGate({ client, upstream: { url: suite.url } });
afterAll(async () => {
  await gateway.close();
  await suite.stop();
});

test.each(['2025-11-25', '2026-07-28'])(
  'all scenarios of %s give the same results directly and through the gateway',
  async (revision) => {
    const direct = await suite.runAll(suite.url, '--suite', 'all', '--spec-version', revision);
    const gated = await suite.runAll(localhost(gateway.notes), '--suite', 'all', '--spec-version', revision);
    expect(Object.keys(direct).length).toBeGreaterThanOrEqual(20);
    expect(gated).toEqual(direct);
    expect(gateway.warnings).toEqual([]);
  },
  300_000,
);

test.each([
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-status-notifications',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
  'sep-2640-skills-directory',
  'sep-2640-skills-enumeration',
  'sep-2640-skills-manifest',
])(
  'the extension scenario %s gives the same results directly and through the gateway',
  async (scenario) => {
    const direct = await suite.runAt(suite.url, scenario, '--force');
    const gated = await suite.runAt(localhost(gateway.notes), scenario, '--force');
    expect(direct.length).toBeGreaterThan(0);
    expect(gated).toEqual(direct);
  },
  90_000,
);

/** As the suite wants it: it tries other names. */
const localhost = (url: string): string => url.replace('127.0.0.1', 'localhost');
