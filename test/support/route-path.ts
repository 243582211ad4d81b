import type { RouteContract } from '../../src/contract/routes.ts';
import { addTeam } from '../../src/engine/change-team.ts';
import type { OpenedElicitation } from '../../src/contract/elicitation.ts';
import type { RunningServer } from '../../src/server.ts';

/** One real thing of each kind that a path can name. */
export interface NamedThings {
  elicitation: string;
  toolCall: string;
  person: string;
  team: string;
  server: string;
}

export async function nameThings({ engine }: RunningServer, opened: OpenedElicitation): Promise<NamedThings> {
  const team = await addTeam(engine, 'operator', { name: 'Named' });
  const { people, servers } = await engine.directory.read();
  const [person, server] = [people[0]?.id ?? '', servers[0]?.id ?? ''];
  return { elicitation: opened.id, toolCall: opened.toolCall, person, team, server };
}

const kinds: [string, keyof NamedThings][] = [
  ['/tool-calls/', 'toolCall'],
  ['/people/', 'person'],
  ['/teams/', 'team'],
  ['/servers/', 'server'],
];

/** The route's path with things that are there; tokens are well formed and nobody's. */
export function fillPath({ path }: RouteContract, things: NamedThings): string {
  const kind = kinds.find(([part]) => path.includes(part))?.[1] ?? 'elicitation';
  return path.replace('{id}', things[kind]).replace('{token}', 'v1.k1.AAAA.BBBB');
}
