import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sha256 } from '#sdk/client/digest';
import { serverPinName } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import {
  annotationsOf,
  digestTool,
  isTool,
  pinnedPart,
  type ToolDefinition,
  doubtfulClaim,
  withoutClaim,
  isKnown,
  isTabled,
} from './definition.ts';

/** A definition that no one has accepted, in place of one that was. */
export interface Change {
  accepted: ToolDefinition;
  definition: ToolDefinition;
  digest: string;
}

/**
 * What people have said of a definition that claims to read only: its claim counts once they have accepted the definition.
 * No one has been asked about an `unseen` one.
 */
export type Standing = 'accepted' | 'unseen' | 'refused';

/** What is known of one tool of one server. */
export interface PinnedTool {
  server: string;
  /** What a person has accepted, or what was seen first. */
  accepted: ToolDefinition;
  standing: Standing;
  /** What the server says now, if that is something else; the tool is blocked. */
  changed: Change | null;
}

/** Definitions of one server that claim to read only and no one has accepted; the digest is of them all. */
export interface Unaccepted {
  tools: ToolDefinition[];
  digest: string;
}

/** A changed definition, or unaccepted ones, that people can accept. */
export type Proposed = Change | Unaccepted;

export async function unacceptedOf(tools: ToolDefinition[]): Promise<Unaccepted> {
  const digests = await Promise.all(tools.map(digestTool));
  return { tools, digest: await sha256(`assentry/tools/v1\n${digests.join('\n')}`) };
}

/**
 * The pins of one server that reaches this, a file for each tool below this folder. Each question looks at the file, so that
 * any number of processes agree, and reads it if it is not the one that accepted this definition before.
 */
export function openPins(folder: string, server: string, reaches: string) {
  const home = path.join(folder, server);
  const matches = new WeakMap<ToolDefinition, { file: string; state: string; standing: Standing }>();
  const ofServer = serverPin(reaches);
  return {
    /**
     * Null if this definition is the pinned one. The first one that is seen is pinned, but for a doubtful claim that it
     * only reads. If the server reaches something else than was accepted under its name, that is the change of each.
     */
    changeOf: async (tool: ToolDefinition): Promise<Change | null> =>
      (await changeOfPart(ofServer)) ?? changeOfPart(tool),
    /** Null if what it reaches is accepted under its name. The first that is seen is. */
    changeOfServer: (): Promise<Change | null> => changeOfPart(ofServer),
    /** What people have said of this definition; `unseen` for one that is not the pinned one. */
    standingOf,
    /** Keeps what people have said of these definitions, as far as they are the pinned ones and not accepted yet. */
    stand: async (tools: ToolDefinition[], standing: Exclude<Standing, 'unseen'>): Promise<void> =>
      settle(home, tools, standing),
    /** Accepts this change; `not-found` if the server shows something else by now. What it reaches never changes while it runs. */
    async accept({ definition, digest }: Change) {
      if (isServerPin(definition)) return replace((await filesOf(home, definition.name)).accepted, ofServer);
      await acceptPins(await pinsOf(folder, server), folder, digest);
    },
  };

  async function changeOfPart(tool: ToolDefinition): Promise<Change | null> {
    const match = matches.get(tool);
    if (match && stateOf(match.file) === match.state) return null;
    const files = await filesOf(home, tool.name);
    const digest = await digestTool(tool);
    const state = stateOf(files.accepted); // before it is read: a later change shows at the next look
    const pin = (await readPinned(files.accepted)) ?? (await pinFirst(home, files.accepted, believed(tool)));
    const { definition: accepted, standing } = pin;
    if ((await digestTool(accepted)) === digest) {
      if (state !== null) matches.set(tool, { file: files.accepted, state, standing });
      await rm(files.changed, { force: true });
      return null;
    }
    matches.delete(tool);
    await replace(files.changed, tool);
    return { accepted, definition: pinnedPart(tool), digest };
  }

  async function standingOf(tool: ToolDefinition): Promise<Standing> {
    const match = matches.get(tool);
    if (match && stateOf(match.file) === match.state) return match.standing;
    const pin = await readPinned((await filesOf(home, tool.name)).accepted);
    return pin && (await digestTool(pin.definition)) === (await digestTool(tool)) ? pin.standing : 'unseen';
  }
}

export type Pins = ReturnType<typeof openPins>;

/** Every tool that was ever pinned below this folder, by server and name. */
export async function listPins(folder: string): Promise<PinnedTool[]> {
  const servers = await namesIn(folder);
  const all = await Promise.all(servers.map((server) => pinsOf(folder, server)));
  return all.flat();
}

/** Does the server of this name reach this? If nothing is known of it, it does from now on. */
export async function isBoundTo(folder: string, server: string, reaches: string): Promise<boolean> {
  const home = path.join(folder, server);
  const pin = serverPin(reaches);
  const { accepted: file } = await filesOf(home, pin.name);
  return reachIn((await readDefinition(file)) ?? (await pinFirst(home, file, pin)).definition) === reaches;
}

/** What was accepted for the server of this name; null if nothing is known of it. */
export async function acceptedReach(folder: string, server: string): Promise<string | null> {
  const files = await filesOf(path.join(folder, server), serverPinName);
  const accepted = await readDefinition(files.accepted);
  return accepted && reachIn(accepted);
}

/** The server of this name may reach something else, without being asked about. Returns what it reached; null if nothing is known of it. */
export async function unbind(folder: string, server: string): Promise<string | null> {
  const files = await filesOf(path.join(folder, server), serverPinName);
  const accepted = await acceptedReach(folder, server);
  for (const file of [files.changed, files.accepted]) await rm(file, { force: true });
  return accepted;
}

/**
 * Accepts what a person has read under this digest: a changed definition, for every server that shows it, or all unaccepted
 * definitions of a server. Returns the pins that it accepted. Problem `not-found` if nothing waits with this digest now.
 */
export async function acceptPin(folder: string, digest: string): Promise<PinnedTool[]> {
  const pins = await listPins(folder);
  for (const { server, tools, digest: own } of await unacceptedIn(pins)) {
    if (own !== digest) continue;
    await settle(path.join(folder, server), tools, 'accepted');
    return pins.filter((pin) => pin.server === server && tools.includes(pin.accepted));
  }
  return acceptPins(pins, folder, digest);
}

/** Of each server, the definitions that claim to read only and are not accepted. */
export async function unacceptedIn(pins: PinnedTool[]): Promise<(Unaccepted & { server: string })[]> {
  const waiting = pins.filter(({ standing, changed }) => standing !== 'accepted' && changed === null);
  const servers = [...new Set(waiting.map(({ server }) => server))];
  return Promise.all(
    servers.map(async (server) => {
      const tools = waiting.filter((pin) => pin.server === server).map(({ accepted }) => accepted);
      return { server, ...(await unacceptedOf(tools)) };
    }),
  );
}

async function settle(home: string, tools: ToolDefinition[], standing: Standing): Promise<void> {
  for (const tool of tools) {
    const { accepted: file } = await filesOf(home, tool.name);
    const pin = await readPinned(file);
    if (!pin || pin.standing === 'accepted') continue;
    if ((await digestTool(pin.definition)) === (await digestTool(tool))) await replace(file, tool, standing);
  }
}

async function acceptPins(pins: PinnedTool[], folder: string, digest: string): Promise<PinnedTool[]> {
  const matching = pins.filter(({ changed }) => changed?.digest === digest);
  if (matching.length === 0) {
    throw new Problem('not-found', { detail: 'Read the difference again: no tool waits with this digest.' });
  }
  for (const { server, accepted, changed } of matching) {
    const files = await filesOf(path.join(folder, server), accepted.name);
    await replace(files.accepted, changed?.definition ?? accepted);
    await rm(files.changed, { force: true });
  }
  return matching;
}

interface PinFiles {
  accepted: string;
  changed: string;
}

/** Differs after each change, because a file is only ever replaced. Null if it cannot be seen, and then it is read. */
function stateOf(file: string): string | null {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true }); // faster than a turn of the thread pool
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return null;
  }
}

/** Names of tools may be anything; names of files may not. */
async function filesOf(home: string, tool: string): Promise<PinFiles> {
  const name = path.join(home, (await sha256(tool)).slice(0, 32));
  return { accepted: `${name}.json`, changed: `${name}.changed.json` };
}

async function pinsOf(folder: string, server: string): Promise<PinnedTool[]> {
  const home = path.join(folder, server);
  const names = (await namesIn(home)).filter((name) => name.endsWith('.json') && !name.endsWith('.changed.json'));
  const pins = await Promise.all(names.map((name) => readPin(server, path.join(home, name))));
  return pins.filter((pin) => pin !== null).toSorted((a, b) => (a.accepted.name < b.accepted.name ? -1 : 1));
}

async function readPin(server: string, file: string): Promise<PinnedTool | null> {
  const pin = await readPinned(file);
  if (!pin) return null;
  const { definition: accepted, standing } = pin;
  const definition = await readDefinition(file.replace(/\.json$/, '.changed.json'));
  const changed = definition && { accepted, definition, digest: await digestTool(definition) };
  return { server, accepted, standing, changed };
}

/** What of a first definition needs no one to look at it. */
const believed = (tool: ToolDefinition): ToolDefinition =>
  isKnown(tool) || doubtfulClaim(tool) === null ? tool : withoutClaim(tool);

/** Of processes that see a tool first at the same time, one pins it. */
async function pinFirst(home: string, file: string, tool: ToolDefinition): Promise<Pinned> {
  await mkdir(home, { recursive: true });
  const isClaim = annotationsOf(tool).readOnlyHint === true && !isTabled(tool, await digestTool(tool));
  const draft = await writeDraft(file, tool, isClaim ? 'unseen' : 'accepted');
  try {
    await link(draft, file); // appears with its content, and never replaces another one
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, error);
  } finally {
    await rm(draft, { force: true });
  }
  const pin = await readPinned(file);
  if (!pin) throw unusable(file, undefined);
  return pin;
}

async function replace(file: string, tool: ToolDefinition, standing: Standing = 'accepted'): Promise<void> {
  await rename(await writeDraft(file, tool, standing), file);
}

/** No definition has a member of this name in its pinned part. Without it, as before there were standings, it is accepted. */
const standingMember = 'standing';

async function writeDraft(file: string, tool: ToolDefinition, standing: Standing): Promise<string> {
  const draft = `${file}.${randomUUID()}`;
  const pin = { ...pinnedPart(tool), ...(standing !== 'accepted' && { [standingMember]: standing }) };
  await writeFile(draft, `${JSON.stringify(pin, null, 2)}\n`, { mode: 0o600, flush: true });
  return draft;
}

interface Pinned {
  definition: ToolDefinition;
  standing: Standing;
}

/** Null if there is no such file. A standing that this version does not know is no acceptance. */
async function readPinned(file: string): Promise<Pinned | null> {
  const stored = await readDefinition(file);
  if (!stored) return null;
  const { [standingMember]: standing = 'accepted', ...definition } = stored;
  const isOwn = standing === 'accepted' || standing === 'refused';
  return { definition: pinnedPart(definition as ToolDefinition), standing: isOwn ? standing : 'unseen' };
}

/** Null if there is no such file. One that cannot be read accepts nothing. */
async function readDefinition(file: string): Promise<ToolDefinition | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unusable(file, error);
  }
  const definition = parse(text);
  if (isTool(definition)) return definition;
  throw unusable(file, undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unusable(folder, error);
  }
}

const unusable = (file: string, cause: unknown): Problem =>
  new Problem('config-invalid', { detail: `Check ${file}: it cannot be used to pin the tools of this server.`, cause });

/** What a server reaches, as it is pinned: as the definition of a tool is. */
export const serverPin = (reaches: string): ToolDefinition => ({ name: serverPinName, description: reaches });

/** Is it what the server reaches that is pinned or has changed, and no tool? */
export const isServerPin = ({ name }: Pick<ToolDefinition, 'name'>): boolean => name === serverPinName;

/** What a server reaches by its pin. */
export const reachIn = ({ description }: ToolDefinition): string =>
  typeof description === 'string' ? description : '';
