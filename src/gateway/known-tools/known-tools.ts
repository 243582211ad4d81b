import { chromeDevtools } from './chrome-devtools.ts';
import { claudeCode } from './claude-code.ts';
import { context7 } from './context7.ts';
import { desktopCommander } from './desktop-commander.ts';
import { everything } from './everything.ts';
import { exa } from './exa.ts';
import { figma } from './figma.ts';
import { filesystem } from './filesystem.ts';
import { github } from './github.ts';
import type { KnownServer, KnownTool } from './known-server.ts';
import { kubernetes } from './kubernetes.ts';
import { memory } from './memory.ts';
import { notion } from './notion.ts';
import { playwright } from './playwright.ts';
import { sentry } from './sentry.ts';
import { sequentialThinking } from './sequential-thinking.ts';
import { tavily } from './tavily.ts';

/** Well-known servers by the word in their names, with tools read from the packages. */
export const knownServers: Readonly<Record<string, KnownServer>> = {
  'chrome-devtools': chromeDevtools,
  'claude-code': claudeCode,
  context7,
  'desktop-commander': desktopCommander,
  everything,
  exa,
  figma,
  filesystem,
  github,
  kubernetes,
  memory,
  notion,
  playwright,
  sentry,
  'sequential-thinking': sequentialThinking,
  tavily,
};

const keyOf = (name: string, takes: readonly string[]): string => JSON.stringify([name, ...takes.toSorted()]);

const byShape: ReadonlyMap<string, KnownTool> = new Map(
  Object.values(knownServers).flatMap(({ tools }) =>
    Object.entries(tools).map(([name, tool]) => [keyOf(name, tool.takes), tool] as const),
  ),
);

/** The tool of this name with exactly these arguments, on any server; undefined if unknown. */
export const toolOfShape = (name: string, takes: readonly string[]): KnownTool | undefined =>
  byShape.get(keyOf(name, takes));

/** The tool of this name of a server whose name contains its word, if it takes all of these arguments. */
export function toolOfServer(server: string, name: string, args: readonly string[]): KnownTool | undefined {
  const tools = serversNamed(server).map((tools) => (Object.hasOwn(tools, name) ? tools[name] : undefined));
  return tools.find((tool) => tool !== undefined && args.every((argument) => tool.takes.includes(argument)));
}

/** Writing tools of this server that name their target by the same arguments as this one; itself included. */
export function toolsLike(server: string, tool: KnownTool): [name: string, tool: KnownTool][] {
  const named = JSON.stringify(tool.objects);
  const tools = serversNamed(server).find((candidates) => Object.values(candidates).includes(tool)) ?? {};
  return Object.entries(tools).filter(
    ([, { does, objects }]) => does === 'writes' && JSON.stringify(objects) === named,
  );
}

const serversNamed = (server: string) =>
  Object.entries(knownServers)
    .filter(([word]) => server.toLowerCase().includes(word))
    .map(([, { tools }]) => tools);
