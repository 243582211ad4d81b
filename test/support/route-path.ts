import type { OpenedElicitation } from '../../src/contract/elicitation.ts';
import type { RouteContract } from '../../src/contract/routes.ts';
import { applyPolicies } from '../../src/engine/apply-policies.ts';
import { addTeam } from '../../src/engine/change-team.ts';
import { delegate } from '../../src/engine/delegate.ts';
import { openBrowser } from './console.ts';
import { allowForAnHour } from './grant.ts';
import type { TestServer } from './server.ts';

/** One real thing of each kind that a path can name. */
export interface NamedThings {
  elicitation: string;
  toolCall: string;
  person: string;
  team: string;
  server: string;
  delegation: string;
  grant: string;
}

export async function nameThings(server: TestServer, opened: OpenedElicitation): Promise<NamedThings> {
  const { engine } = server;
  const { person } = await openBrowser(server);
  const other = await openBrowser(server);
  const team = await addTeam(engine, 'operator', { name: 'Named' });
  const { id } = await delegate(engine, person, { toId: other.person.id, endsAt: engine.now() + 60_000 });
  await applyPolicies(engine, [
    `policy: ${policyName}\nmatch: { tool: nothing }\nrequire: { stages: [{ name: One, approvers: anyone }] }\n`,
  ]);
  const [asking] = (await engine.directory.read()).servers;
  return {
    elicitation: opened.id,
    toolCall: opened.toolCall,
    person: person.id,
    team,
    server: asking?.id ?? '',
    delegation: id,
    grant: (await allowForAnHour(server, other)).grant,
  };
}

const policyName = 'named-policy';

const kinds: [string, keyof NamedThings][] = [
  ['/tool-calls/', 'toolCall'],
  ['/people/', 'person'],
  ['/teams/', 'team'],
  ['/servers/', 'server'],
  ['/delegations/', 'delegation'],
  ['/grants/', 'grant'],
];

/** The route's path with things that are there; tokens are well formed and nobody's. */
export function fillPath({ path }: RouteContract, things: NamedThings): string {
  const kind = kinds.find(([part]) => path.includes(part))?.[1] ?? 'elicitation';
  return path
    .replace('{id}', things[kind])
    .replace('{name}', policyName)
    .replace('{version}', '1')
    .replace('{token}', 'v1.k1.AAAA.BBBB');
}
