import { randomUUID } from 'node:crypto';
import type { GrantList } from '#requests/grants/contract';
import { askingAt } from '../nodes/asking.ts';
import type { Browser } from '../nodes/console.ts';
import { publish } from './policies.ts';
import type { TestServer } from '../nodes/server.ts';
import { json } from '../json.ts';

const document = `policy: granting
match: { tool: granting }
require:
  stages: [{ name: One, approvers: anyone }]
  grant: { longest: 8h, review: 1h, budget: { argument: amount, total: 1000 } }`;

/** Has this approver allow a request for an hour, under a policy that is reviewed each hour. */
export async function allowForAnHour(server: TestServer, approver: Browser): Promise<{ grant: string }> {
  await publish(server, document);
  const asking = askingAt(server.url, await server.newServerKey('granting'));
  const requester = { subject: 'alice', verified: true };
  const args = { amount: 1, to: randomUUID() };
  const { id, digest } = await asking.open({ tool: { name: 'granting' }, requester, arguments: args });
  const vote = { action: 'accept', digest, content: {}, allowFor: 3_600_000 };
  await approver.call('POST', `/api/elicitations/${id}/vote`, vote);
  const { grants } = await json<GrantList>(approver.call('GET', '/api/grants'));
  return { grant: grants.find(({ elicitation }) => elicitation === id)?.id ?? '' };
}
