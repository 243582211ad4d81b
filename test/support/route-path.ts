import type { OpenedElicitation } from '../../src/contract/servers/elicitation.ts';
import type { RouteContract } from '../../src/contract/routes.ts';
import { applyPolicies } from '../../src/engine/policies/apply-policies.ts';
import { addGroup } from '../../src/engine/users/change-group.ts';
import { delegate } from '../../src/engine/users/delegate.ts';
import { stopCalls } from '../../src/engine/stops/make-stop.ts';
import type { Asking } from './asking.ts';
import { openBrowser } from './console.ts';
import { allowForAnHour } from './grant.ts';
import type { TestServer } from './server.ts';

/** One real thing of each kind that a path can name. */
export interface NamedThings {
  elicitation: string;
  /** One that has ended. */
  ended: string;
  toolCall: string;
  user: string;
  group: string;
  server: string;
  delegation: string;
  grant: string;
  kid: string;
  stop: string;
  report: string;
}

export async function nameThings(server: TestServer, asking: Asking, opened: OpenedElicitation): Promise<NamedThings> {
  const { engine } = server;
  const { user } = await openBrowser(server);
  const other = await openBrowser(server);
  const group = await addGroup(engine, 'operator', { name: 'Named' });
  const { id } = await delegate(engine, user, { toId: other.user.id, endsAt: engine.now() + 60_000 });
  await applyPolicies(engine, [
    `policy: ${policyName}\nmatch: { tool: nothing }\nrequire: { stages: [{ name: One, approvers: anyone }] }\n`,
  ]);
  const [owned] = (await engine.directory.read()).servers;
  const ended = await asking.open();
  await asking.call('POST', `/v1/elicitations/${ended.id}/cancel`, {});
  return {
    elicitation: opened.id,
    toolCall: opened.toolCall,
    user: user.id,
    group,
    server: owned?.id ?? '',
    ended: ended.id,
    delegation: id,
    kid: (await engine.servers.keys())[0]?.kid ?? '',
    grant: (await allowForAnHour(server, other)).grant,
    stop: (await stopCalls(engine, 'operator', { tool: 'stopped', reason: 'For a test.' })).id,
    report: 'approvals',
  };
}

const policyName = 'named-policy';

const kinds: [string, keyof NamedThings][] = [
  ['/receipt', 'ended'],
  ['/tool-calls/', 'toolCall'],
  ['/users/', 'user'],
  ['/groups/', 'group'],
  ['/servers/', 'server'],
  ['/delegations/', 'delegation'],
  ['/grants/', 'grant'],
  ['/stops/', 'stop'],
  ['/reports/', 'report'],
];

/** The route's path with things that are there; tokens are well formed and no one's. */
export function fillPath({ path }: RouteContract, things: NamedThings): string {
  const kind = kinds.find(([part]) => path.includes(part))?.[1] ?? 'elicitation';
  return path
    .replace('{id}', things[kind])
    .replace('{name}', policyName)
    .replace('{version}', '1')
    .replace('{kid}', things.kid)
    .replace('{level}', 'entries')
    .replace('{tile}', '000.p/1')
    .replace('{token}', 'v1.k1.AAAA.BBBB');
}
