import path from 'node:path';
import type { Variables } from '../../own-files/shell-words.ts';
import type { OwnTools } from '../adapters/adapter/adapter.ts';
import { skillEvent } from '../adapters/harness.ts';
import type { HookEvent } from '../adapters/hook-event.ts';
import { filesNamedIn, runsBy, type LoadedText } from '../loaded-text/loaded-text.ts';
import { isOpenEnded } from './open-ended.ts';

/** What a call of a coding agent is judged by, apart from its input. */
export interface ProjectFacts {
  /** The real folder of the project; null if it is no folder of its own, such as the home directory. */
  project: string | null;
  /** The same as the agent names it. */
  folder: string;
  variables: Variables;
  /** Where a path of the agent really leads, from the folder in which it runs. */
  realPath(path: string): string;
  /** Every skill or command of this name: which of them the agent loads is not known. */
  skillsOf(name: string): LoadedText[];
  /** Every text that makes a sub-agent of this name. */
  agentsOf(name: string): LoadedText[];
}

/** What policies read of a call, and what people read with its input. */
export interface CallHints {
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
  note?: string;
  /** Files from elsewhere that the agent loads with the call, without one that reads them. */
  loads?: string[];
  /** Where each of its paths really leads, which may change while people are asked. */
  places: string[];
}
type HintsOfTool = Omit<CallHints, 'places'>;

const reads: HintsOfTool = { annotations: { readOnlyHint: true } };

/**
 * Hints for a built-in tool, which has none of its own: what only reads within the project says so, what runs more than its text
 * has a high risk, and everything else says nothing. A tool that is not known here is one of the last.
 */
export function hintsOf(event: HookEvent, facts: ProjectFacts, tools: OwnTools): CallHints {
  const { annotations, note: ofTool, loads } = hintsOfTool(event, facts, tools);
  const notes = [...ofSkill(event), ...(ofTool === undefined ? [] : [ofTool])];
  const note = notes.length === 0 ? undefined : notes.join(' ');
  const paths = pathsIn(event.tool_input, event.cwd).map((path) => ({ path, real: facts.realPath(path) }));
  const led = paths.filter((place) => isLedAway(place, facts)).map(({ real }) => real);
  const places = paths.map(({ real }) => real);
  const more = { ...(note !== undefined && { note }), ...(loads && { loads }), places };
  if (led.length === 0) return { ...(annotations && { annotations }), ...more };
  return {
    ...more,
    annotations: { destructiveHint: true },
    note: [note ?? [], `It really leads to ${led.join(', ')}.`].flat().join(' '),
  };
}

const ofSkill = ({ hook_event_name: event, command_name: name }: HookEvent): string[] =>
  event === skillEvent ? [`It stands in the text of ${name ?? 'a skill'}, and runs when that text is loaded.`] : [];

/** Members that name a file or a folder, which may be relative. */
const pathMember = /path|file|folder|dir/i;

/** What in these members is a path, from the folder in which the call runs. */
const pathsIn = (input: Record<string, unknown>, cwd: string): string[] =>
  Object.entries(input).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((text) => typeof text === 'string')
      .filter(
        (text) => !/[\r\n]/.test(text) && (isAbsolute.test(text) || (pathMember.test(name) && !isSpread.test(text))),
      )
      .map((text) => (isAbsolute.test(text) || text.startsWith('~') ? text : path.join(cwd, text))),
  );
const isAbsolute = /^\/|^[A-Za-z]:[\\/]/;

/** Does a path of the project really lead, by a link, outside of it or into what its name does not show, as `.git`? */
function isLedAway({ path, real }: { path: string; real: string }, { project, folder }: ProjectFacts): boolean {
  if (project === null) return false;
  const root = [folder, project].find((place) => isBelow(path, place));
  if (root === undefined) return false;
  return !isBelow(real, project) || hiddenIn(real.slice(project.length)) !== hiddenIn(path.slice(root.length));
}

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
const hiddenIn = (path: string): number => path.match(/[\\/]\.(?!\.?(?:[\\/]|$))/g)?.length ?? 0;

function hintsOfTool(
  { tool_name: tool, tool_input: input }: HookEvent,
  facts: ProjectFacts,
  { readers, plans, shells, skill, agents }: OwnTools,
): HintsOfTool {
  if (plans.includes(tool)) return reads;
  const members = Object.hasOwn(readers, tool) ? readers[tool] : undefined;
  if (members) return members.every((member) => isWithin(input[member], facts)) ? reads : {};
  if (tool === skill) return hintsOfSkill(input, facts);
  if (agents?.tools.includes(tool)) return hintsOfAgent(input, facts, agents);
  const { command } = input;
  const line = Array.isArray(command) ? command.join(' ') : command;
  return shells.includes(tool) && typeof line === 'string' && isOpenEnded(line, facts.variables) ? openEnded : {};
}

/** A sub-agent, whose calls are judged unless it is started in another place, such as a cloud or another folder. */
function hintsOfAgent(
  input: Record<string, unknown>,
  { agentsOf }: ProjectFacts,
  { usual, members }: NonNullable<OwnTools['agents']>,
): HintsOfTool {
  const hints = hintsOfLoaded(input['subagent_type'] ?? usual[0], agentsOf, usual);
  const others = Object.keys(input).filter((name) => !members.includes(name));
  if (others.length === 0) return hints;
  const note = `Its calls may run where the hook does not judge them, by ${others.join(', ')}.`;
  return { note: [hints.note ?? [], note].flat().join(' ') };
}

/** A skill loads the files that its text and its arguments name; a name with a variable could be any. */
function hintsOfSkill(input: Record<string, unknown>, facts: ProjectFacts): HintsOfTool {
  const { skill: name = input['name'], args } = input;
  const hints = hintsOfLoaded(name, facts.skillsOf, []);
  const texts = typeof name === 'string' ? facts.skillsOf(name).map(({ text }) => text ?? '') : [];
  const named = [...texts, typeof args === 'string' ? args : ''].flatMap(filesNamedIn);
  const loads = named.filter((file) => file.includes('$') || !isWithin(file, facts));
  if (loads.length === 0) return hints;
  const note = `It loads files that no call reads: ${loads.join('; ').slice(0, 1_000)}`;
  return { note: [hints.note ?? [], note].flat().join(' '), loads };
}

function isWithin(named: unknown, { project, realPath }: ProjectFacts): boolean {
  if (project === null || (named !== undefined && typeof named !== 'string')) return false;
  if (named !== undefined && isSpread.test(named)) return false;
  return isBelow(realPath(named ?? '.'), project);
}

/** A pattern that goes up, or of which one branch does: where it leads depends on where it begins, and on who reads it. */
const isSpread = /[*?[{].*\.\.|\.\..*[*?[{]|\{[^}]*[/\\]/s;

const openEnded: HintsOfTool = {
  annotations: { destructiveHint: true },
  note: 'It starts a program that takes more commands: everything that is typed into it later runs without being asked about.',
};

/** A skill, or a sub-agent, whose calls are judged: only what runs without a call counts. The agent itself brings those of `usual`. */
function hintsOfLoaded(name: unknown, textsOf: (name: string) => LoadedText[], usual: readonly string[]): HintsOfTool {
  const texts = typeof name === 'string' ? textsOf(name) : [];
  if (texts.length === 0 && !usual.some((own) => own === name))
    return { note: 'Its text was not found, so it may run commands of its own.' };
  const running = texts.flatMap(runsBy);
  return running.length === 0 ? reads : { note: `It runs commands of its own: ${running.join('; ').slice(0, 1_000)}` };
}
