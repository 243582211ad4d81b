import type { ElicitationId } from '#platform/model/id';
import type { Status } from '../asking/contract/elicitation.ts';
import { testServer } from '#platform/model/names';
import type { User } from '#people/directory/contract/user';
import type { Engine } from '#platform/nodes/verbs/engine';
import { wholeServer } from '#people/directory/verbs/scope';
import type { OpenRequest } from '#policies/deciding/verbs/open';
import { addBuiltInServer } from '#people/directory/verbs/directory';
import { openElicitation } from '../asking/verbs/ask.ts';

/**
 * Opens the one request that the built-in test server can make, as every server does: policies judge it, people decide
 * it, the log has it. Nothing runs when it is approved. While one waits, the same one is returned. Administrators only.
 */
export async function sendTestRequest(engine: Engine, by: User): Promise<{ id: ElicitationId; status: Status }> {
  await addBuiltInServer(engine, by, testServer);
  const server = { kind: 'server', ...wholeServer(testServer.id), ...testServer } as const;
  const { id, status } = await openElicitation(engine, server, testRequest);
  return { id, status };
}

/** The test has low risk, so that one administrator alone can decide it in production too. */
const testRequest: OpenRequest = {
  tool: {
    name: 'test_request',
    title: 'Test request',
    description: 'Shows what a request looks like. Nothing runs when it is approved.',
    annotations: { readOnlyHint: true },
  },
  arguments: { amount: 120, currency: 'EUR', payee: 'Example Ltd', invoice: 'INV-0001' },
  message: 'Pay 120 EUR to Example Ltd? This is a test: nothing is paid.',
  reason: 'The invoice is due tomorrow.',
  mode: 'form',
  audience: 'approvers',
  requester: {
    issuer: testServer.name,
    subject: 'sample-person@example.com',
    verified: false,
    client: { name: 'Sample agent' },
  },
  step: '0',
};
