import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sha256 } from '#sdk/client/digest';
import { isReservedTool, serverPinName } from '#platform/model/names';
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

/** An unaccepted definition in place of an accepted one. */
export interface Change {
  accepted: ToolDefinition;
  definition: ToolDefinition;
  digest: string;
}

/**
 * People's verdict on a definition that no one knows: its claim to read only counts once the definition is accepted. What people
 * said when they looked at it is in a policy. For `unseen`, no one was asked.
 */
export type Standing = 'accepted' | 'looked' | 'unseen' | 'refused';

/** Pinned state of one tool of one server. */
export interface PinnedTool {
  server: string;
  /** Definition that a person accepted, or that was seen first. */
  accepted: ToolDefinition;
  standing: Standing;
  /** The server's current definition, if different; the tool is then blocked. */
  changed: Change | null;
}

/** Definitions of one server that people have not seen; the digest covers all. */
export interface Unaccepted {
  tools: ToolDefinition[];
  digest: string;
  /** There are no others of this server. */
  isWhole?: boolean | undefined;
}

/** A changed definition, or unaccepted ones, proposed to people. */
export type Proposed = Change | Unaccepted;

export async function unacceptedOf(tools: ToolDefinition[]): Promise<Unaccepted> {
  const digests = await Promise.all(tools.map(digestTool));
  return { tools, digest: await sha256(`assentry/tools/v1\n${digests.join('\n')}`) };
}

/**
 * The pins of one server with this reach, a file for each tool below this folder. Each question checks the file, so that any
 * number of processes agree, and reads it unless it is the one that accepted this definition before.
 */
export function openPins(folder: string, server: string, reaches: string) {
  const home = path.join(folder, server);
  const matches = new WeakMap<ToolDefinition, { file: string; state: string; standing: Standing }>();
  const ofServer = serverPin(reaches);
  return {
    /**
     * Null if this definition is the pinned one. Pins the first one seen, except for a doubtful claim that it only reads. If
     * the server's reach differs from the accepted one, that is the change of each tool.
     */
    changeOf: async (tool: ToolDefinition): Promise<Change | null> =>
      (await changeOfPart(ofServer)) ?? changeOfPart(tool),
    /** Null if its reach is accepted under its name. The first one seen is accepted. */
    changeOfServer: (): Promise<Change | null> => changeOfPart(ofServer),
    /** People's verdict on this definition; `unseen` unless it is the pinned one. */
    standingOf,
    /** Stores people's verdict on these definitions, as far as they are pinned and not accepted yet. */
    stand: async (tools: ToolDefinition[], standing: Exclude<Standing, 'unseen'>): Promise<void> =>
      settle(home, tools, standing),
    /**
     * Accepts this change; `not-found` if the server shows another definition by now. A reach never changes while the server
     * runs. With `looked`, a policy says whether the new definition is believed.
     */
    async accept({ definition, digest }: Change, standing: Standing = 'accepted') {
      if (isServerPin(definition)) return replace((await filesOf(home, definition.name)).accepted, ofServer);
      await acceptPins(await pinsOf(folder, server), folder, digest, standing);
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

/** Every tool ever pinned below this folder, by server and name. */
export async function listPins(folder: string): Promise<PinnedTool[]> {
  const servers = await namesIn(folder);
  const all = await Promise.all(servers.map((server) => pinsOf(folder, server)));
  return all.flat();
}

/** Does the server of this name have this reach? An unknown server is bound to it from now on. */
export async function isBoundTo(folder: string, server: string, reaches: string): Promise<boolean> {
  const home = path.join(folder, server);
  const pin = serverPin(reaches);
  const { accepted: file } = await filesOf(home, pin.name);
  return reachIn((await readDefinition(file)) ?? (await pinFirst(home, file, pin)).definition) === reaches;
}

/** Accepted reach of the server of this name; null if unknown. */
export async function acceptedReach(folder: string, server: string): Promise<string | null> {
  const files = await filesOf(path.join(folder, server), serverPinName);
  const accepted = await readDefinition(files.accepted);
  return accepted && reachIn(accepted);
}

/** Lets the server of this name take another reach without a question. Returns the earlier one; null if unknown. */
export async function unbind(folder: string, server: string): Promise<string | null> {
  const files = await filesOf(path.join(folder, server), serverPinName);
  const accepted = await acceptedReach(folder, server);
  for (const file of [files.changed, files.accepted]) await rm(file, { force: true });
  return accepted;
}

/**
 * Accepts the definitions that a person read under this digest: a changed definition, for every server that shows it, or all
 * unaccepted definitions of a server. Returns the accepted pins. Problem `not-found` if nothing waits with this digest now.
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

/** Unaccepted definitions that claim to read only, by server. */
export async function unacceptedIn(pins: PinnedTool[]): Promise<(Unaccepted & { server: string })[]> {
  const waiting = pins.filter(({ standing, changed, accepted }) => changed === null && waits(standing, accepted));
  const servers = [...new Set(waiting.map(({ server }) => server))];
  return Promise.all(
    servers.map(async (server) => {
      const tools = waiting.filter((pin) => pin.server === server).map(({ accepted }) => accepted);
      return { server, ...(await unacceptedOf(tools)) };
    }),
  );
}

/** Would its acceptance let its claim count? */
const waits = (standing: Standing, tool: ToolDefinition): boolean =>
  (standing === 'unseen' || standing === 'refused') && annotationsOf(tool).readOnlyHint === true;

async function settle(home: string, tools: ToolDefinition[], standing: Standing): Promise<void> {
  for (const tool of tools) {
    const { accepted: file } = await filesOf(home, tool.name);
    const pin = await readPinned(file);
    if (!pin || pin.standing === 'accepted') continue;
    if ((await digestTool(pin.definition)) === (await digestTool(tool))) await replace(file, tool, standing);
  }
}

async function acceptPins(
  pins: PinnedTool[],
  folder: string,
  digest: string,
  standing: Standing = 'accepted',
): Promise<PinnedTool[]> {
  const matching = pins.filter(({ changed }) => changed?.digest === digest);
  if (matching.length === 0) {
    throw new Problem('not-found', { detail: 'Read the difference again: no tool waits with this digest.' });
  }
  for (const { server, accepted, changed } of matching) {
    const files = await filesOf(path.join(folder, server), accepted.name);
    await replace(files.accepted, changed?.definition ?? accepted, standing);
    await rm(files.changed, { force: true });
  }
  return matching;
}

interface PinFiles {
  accepted: string;
  changed: string;
}

/**
 * State of a file. It differs after each change, because a file is only ever replaced. Null if it is not visible; then the file
 * is read.
 */
function stateOf(file: string): string | null {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true }); // faster than a turn of the thread pool
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return null;
  }
}

/** Files of a tool, named by digest: names of tools may be anything, names of files may not. */
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

/** Part of a first definition that needs no review. */
const believed = (tool: ToolDefinition): ToolDefinition =>
  isKnown(tool) || doubtfulClaim(tool) === null ? tool : withoutClaim(tool);

/** Pins a tool; if several processes see it first at the same time, one does. */
async function pinFirst(home: string, file: string, tool: ToolDefinition): Promise<Pinned> {
  await mkdir(home, { recursive: true });
  const draft = await writeDraft(file, tool, (await isNew(tool)) ? 'unseen' : 'accepted');
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

/** Does it need a look: an unknown tool, or one that claims to read in a definition that is not in the table? */
async function isNew(tool: ToolDefinition): Promise<boolean> {
  if (isReservedTool(tool.name)) return false; // instructions, prompts and the server itself
  return annotationsOf(tool).readOnlyHint === true ? !isTabled(tool, await digestTool(tool)) : !isKnown(tool);
}

async function replace(file: string, tool: ToolDefinition, standing: Standing = 'accepted'): Promise<void> {
  await rename(await writeDraft(file, tool, standing), file);
}

/** Member for the standing, a name that no pinned definition has. Without it, as in older files, the definition is accepted. */
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

/** Null if there is no such file. An unknown standing is no acceptance. */
async function readPinned(file: string): Promise<Pinned | null> {
  const stored = await readDefinition(file);
  if (!stored) return null;
  const { [standingMember]: standing = 'accepted', ...definition } = stored;
  const isOwn = standing === 'accepted' || standing === 'looked' || standing === 'refused';
  return { definition: pinnedPart(definition as ToolDefinition), standing: isOwn ? standing : 'unseen' };
}

/** Null if there is no such file. An unreadable one accepts nothing. */
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

/** Pin of a server's reach, in the form of a tool's definition. */
export const serverPin = (reaches: string): ToolDefinition => ({ name: serverPinName, description: reaches });

/** Is it the pin of a server's reach, and no tool? */
export const isServerPin = ({ name }: Pick<ToolDefinition, 'name'>): boolean => name === serverPinName;

/** The reach in a server's pin. */
export const reachIn = ({ description }: ToolDefinition): string =>
  typeof description === 'string' ? description : '';
