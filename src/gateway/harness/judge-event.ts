import type { AssentryClient } from '#sdk/client/client';
import { refuseUnapproved } from '#sdk/mcp/elicit/elicit';
import type { IncomingCall, ToolResult } from '#sdk/mcp/question/call';
import { canonicalText } from '#platform/model/hashed-text';
import { readSettings, runCall } from '#sdk/mcp/tools/own-tools';
import { RefusedCalls, refusalOf } from '../calls/own-files.ts';
import { localPrincipal } from '../identity/caller.ts';
import type { OwnFiles } from '../own-files/own-files.ts';
import { type FileTool, type Verdict, type OwnTools, racedCallsIn } from './adapters/adapter.ts';
import { adapters } from './adapters/adapters.ts';
import { type Harness, skillEvent } from './adapters/harness.ts';
import { argumentsOf, inputOf, type HookEvent, type SessionCall } from './adapters/hook-event.ts';
import { Worker } from 'node:worker_threads';
import path from 'node:path';
import { type Variables, anything, readCommands, type Command } from '../own-files/shell-words.ts';
import { undoableTitle } from '../known-tools/undoable.ts';
import { harmsOf } from './shell/harms.ts';
import { isUndoableFile, judgeLine, type ShellFacts } from './shell/judge-line.ts';
import { isPrivate, reachesPrivate } from './shell/private-files.ts';
import { filesNamedIn, runsBy, type LoadedText } from './loaded-text.ts';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { sha256 } from '#sdk/client/digest';

interface Judging {
  /** Orchestrator; if it is unavailable, no call runs. */
  client: Promise<AssentryClient>;
  harness: Harness;
  ownFiles: OwnFiles;
  /** Current hints for a call: files may change while people answer. */
  hintsOf(event: HookEvent): CallHints;
  /** The tool belongs to an MCP server, and the hook leaves it to the gateway. */
  isElsewhere?: boolean;
  /** Milliseconds to wait for people; then the model is told to make the same call again. */
  holdTimeoutMs: number;
  /** The agent's own person is asked as well. */
  raced?: RacedCall | undefined;
  /** Aborted when no one waits for the verdict any longer. */
  signal?: AbortSignal;
}

/**
 * Decision of policies and people about a call that a harness is about to run. A yes is claimed for exactly this call and given
 * to one hook, so that the call runs at most once; the same call later is asked about again. A call that leads into Assentry's
 * own files is refused first. Rejects if Assentry is unavailable.
 */
export async function judgeEvent(judging: Judging, event: HookEvent): Promise<Verdict> {
  const { harness, holdTimeoutMs, raced } = judging;
  const hints = judging.hintsOf(event);
  const path = findOwn(judging, event, hints);
  if (path !== null) return refuse(judging, event, path);
  if (judging.isElsewhere) return { isAllowed: null };
  const reached = await judging.client;
  const client = raced?.noting(reached) ?? reached;
  const args = argumentsOf(event);
  let approved: Record<string, unknown> | undefined;
  const result = await runCall(
    receive(judging, hints, event, args),
    client,
    readSettings({ holdTimeoutMs }),
    async (elicit, input) => {
      const refusal = await refuseUnapproved(elicit, questionOf(event, hints), { audience: 'approvers' });
      if (!refusal) approved = input as Record<string, unknown>;
      return refusal ?? { content: [] };
    },
  );
  if (!approved && raced?.isWithdrawn()) return { isAllowed: null };
  raced?.forget();
  if (!approved) return { isAllowed: false, reason: reasonOf(result) };
  const isEdited = canonicalText(approved) !== canonicalText(args);
  const input = inputOf(event, approved);
  const now = isEdited ? { ...event, tool_input: input ?? event.tool_input } : event;
  const hintsNow = judging.hintsOf(now);
  const ownPath = findOwn(judging, now, hintsNow);
  if (ownPath !== null) return refuse(judging, now, ownPath);
  if (isOther(hints, hintsNow, isEdited)) return { isAllowed: false, reason: leadsElsewhere };
  const hasInput = isEdited || adapters[harness].givesBack?.(event) === true;
  return { isAllowed: true, ...(hasInput && { input }) };
}

const findOwn = ({ ownFiles }: Judging, { tool_name: tool, tool_input: input }: HookEvent, { loads = [] }: CallHints) =>
  [ownFiles.findPath(tool, input), ...loads.map((file) => ownFiles.findPath('Read', { file_path: file }))].find(
    (own) => own !== null,
  ) ?? null;

const leadsElsewhere =
  'Make the same call again: what it leads to has changed since people were asked, by a link or a file. Nothing was run.';

/** Do the hints differ now from those that people were shown, or do paths lead elsewhere? */
const isOther = (shown: CallHints, now: CallHints, isEdited: boolean): boolean =>
  (now.note !== undefined && now.note !== shown.note) ||
  (!isEdited && canonicalText(now.places) !== canonicalText(shown.places));

async function refuse({ client, harness }: Judging, event: HookEvent, path: string): Promise<Verdict> {
  const refusals = new RefusedCalls(client);
  refusals.note({ server: harness, tool: event.tool_name, path, requester: requesterAt(harness) });
  await refusals.flush();
  return { isAllowed: false, reason: refusalOf(path) };
}

const requesterAt = (harness: Harness) => ({ ...localPrincipal(), client: { name: harness } });

const questionOf = ({ tool_name: tool }: HookEvent, { note }: CallHints): string =>
  note === undefined ? `Run ${tool}?` : `Run ${tool}? ${note}`;

const receive = (
  { harness, signal = new AbortController().signal }: Judging,
  { annotations }: CallHints,
  event: HookEvent,
  args: Record<string, unknown>,
): IncomingCall => ({
  tool: { name: event.tool_name, ...(annotations && { annotations }) },
  args,
  session: event.session_id,
  requester: requesterAt(harness),
  capabilities: undefined,
  signal,
  sendProgress: undefined,
  hasOutputSchema: false,
  ask: async () => ({ kind: 'unsupported', reason: 'No one is at a client.' }),
  ...(adapters[harness].takesInput(event, event.tool_input) && {
    readSeen: async (shown: Record<string, unknown>) => {
      const input = inputOf(event, shown);
      return input && adapters[harness].takesInput(event, input) ? shown : undefined;
    },
  }),
});

/** Text for the model: one that only reads "try again later" does so at once, or takes another tool. */
const notReached =
  'Nothing was run. Do not do the same in another way: tell the person you work for, and stop if it fails once more.';

function reasonOf({ content, _meta: meta = {} }: ToolResult): string {
  const pending = meta['elicitationPending'] as { elicitId: string; statusUrl: string; url?: string } | undefined;
  const [first] = content as { text?: string }[];
  // The requester answers on a page. What follows that line names a tool that no harness has.
  if (pending?.url !== undefined) return `${first?.text?.split('\n')[0]} A changed call asks again.`;
  if (pending)
    return (
      `Not decided yet: people were asked about this call (${pending.elicitId}). Make exactly the same call again to go ` +
      `on waiting; a changed call asks again. Status: ${pending.statusUrl}`
    );
  if (meta['code'] === 'unavailable') return `${first?.text} ${notReached}`;
  return (
    first?.text ?? 'An equal call ran by this approval, and this one did not. Make it again only if it must run twice.'
  );
}

/**
 * Ends this process from a separate thread, because the main thread may be busy longer than the agent waits, and most agents
 * run a call whose hook is late. The surrounding command then blocks the call.
 */
export function endLate(milliseconds: number): void {
  new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${milliseconds})`, { eval: true }).unref();
}

/** Facts by which a coding agent's call is judged, apart from its input. */
export interface ProjectFacts {
  /** The real folder of the project; null if it is no folder of its own, such as the home directory. */
  project: string | null;
  /** The folder as the agent names it. */
  folder: string;
  variables: Variables;
  /** Facts for command lines of a POSIX shell; null if none can be believed here. */
  shell: ShellFacts | null;
  /** Digest of the project and of what its commands run. */
  digest(): string;
  /** Real target of a path of the agent, from the folder in which it runs. */
  realPath(path: string): string;
  /** Every skill or command of this name; the one that the agent loads is unknown. */
  skillsOf(name: string): LoadedText[];
  /** Every text that defines a sub-agent of this name. */
  agentsOf(name: string): LoadedText[];
}

/** Hints of a call for policies, and a note for people. */
export interface CallHints {
  annotations?: { title?: string; readOnlyHint?: boolean; destructiveHint?: boolean };
  note?: string;
  /** Outside files that the agent loads with the call, without a call that reads them. */
  loads?: string[];
  /** Real target of each path, which may change while people are asked. */
  places: string[];
}
type HintsOfTool = Omit<CallHints, 'places'>;

const reads: HintsOfTool = { annotations: { readOnlyHint: true } };

/**
 * Hints for a built-in tool, which has none of its own. What only reads within the project is read-only; what the project can undo
 * says so; what destroys, sends, or runs more than its text has a high risk; all else, and unknown tools, get no hints.
 */
export function hintsOf(event: HookEvent, facts: ProjectFacts, tools: OwnTools): CallHints {
  const { annotations, note: ofTool, loads } = hintsOfTool(event, facts, tools);
  const notes = [...ofSkill(event), ...(ofTool === undefined ? [] : [ofTool])];
  const note = notes.length === 0 ? undefined : notes.join(' ');
  const paths = pathsIn(event.tool_input, event.cwd).map((path) => ({ path, real: facts.realPath(path) }));
  const led = paths.filter((place) => isLedAway(place, facts)).map(({ real }) => real);
  const places = [...paths.map(({ real }) => real), ...(annotations?.title === undefined ? [] : [annotations.title])];
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

/** Members that name a file or a folder, perhaps relative. */
const pathMember = /path|file|folder|dir/i;

/** Paths in these members, from the folder in which the call runs. */
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

/** Does a link lead a path of the project outside of it, or to a place that its name does not show, such as `.git`? */
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
  { tool_name: tool, tool_input: input, cwd }: HookEvent,
  facts: ProjectFacts,
  { readers, writers = {}, plans, shells, skill, agents }: OwnTools,
): HintsOfTool {
  if (plans.includes(tool)) return reads;
  const reader = Object.hasOwn(readers, tool) ? readers[tool] : undefined;
  if (reader)
    return hasOnly(input, reader) && reader.paths.every((member) => isOpen(input[member], facts)) ? reads : {};
  const writer = Object.hasOwn(writers, tool) ? writers[tool] : undefined;
  if (writer)
    return hasOnly(input, writer) && writer.paths.every((member) => isKept(input[member], cwd, facts))
      ? undoable(facts)
      : {};
  if (tool === skill) return hintsOfSkill(input, facts);
  if (agents?.tools.includes(tool)) return hintsOfAgent(input, facts, agents);
  const { command } = input;
  const line = Array.isArray(command) ? command.join(' ') : command;
  if (!shells.includes(tool) || typeof line !== 'string') return {};
  const { note, annotations } = isOpenEnded(line, facts.variables) ? openEnded : {};
  const isReadable =
    note === undefined && !/powershell/i.test(tool) && !Array.isArray(command) && hasOnly(input, shellMembers);
  const effect = isReadable && facts.shell ? judgeLine(line, facts.realPath(cwd), facts.shell) : null;
  if (effect !== null) return effect === 'reads' ? reads : undoable(facts);
  const harms = harmsOf(line, facts.variables);
  if (harms.length > 0)
    return {
      annotations: { destructiveHint: true },
      note: [note ?? [], `It ${harms.join(', and ')}.`].flat().join(' '),
    };
  return note === undefined ? {} : { note, ...(annotations && { annotations }) };
}

/** Members of a shell's call that change neither what runs nor where. */
const shellMembers: FileTool = {
  paths: ['command'],
  others: ['description', 'timeout', 'timeout_ms', 'run_in_background', 'is_background'],
};

const hasOnly = (input: Record<string, unknown>, { paths, others }: FileTool): boolean =>
  Object.keys(input).every((name) => paths.includes(name) || others.includes(name));

/** A file or folder of the project, or all of it, that holds no secrets by its name. */
const isOpen = (named: unknown, facts: ProjectFacts): boolean =>
  isWithin(named, facts) &&
  (typeof named !== 'string' ||
    !(reachesPrivate(named) || isPrivate(facts.realPath(named).slice(facts.project?.length))));

const isKept = (named: unknown, cwd: string, { shell }: ProjectFacts): boolean =>
  typeof named === 'string' && shell !== null && isUndoableFile(named, cwd, shell);

/** The title holds for this project and what its commands run now, so that a rule with it ends when these change. */
const undoable = (facts: ProjectFacts): HintsOfTool => ({
  annotations: { title: `${undoableTitle}${facts.digest()}`, readOnlyHint: false, destructiveHint: false },
});

/** Hints of a sub-agent. Its calls are judged unless it is started elsewhere, such as in a cloud or another folder. */
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

/** Hints of a skill, which loads the files named in its text and its arguments; a name with a variable could be any. */
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

/** A pattern that goes up, or has a branch that does: its target depends on where it begins, and on the reader. */
const isSpread = /[*?[{].*\.\.|\.\..*[*?[{]|\{[^}]*[/\\]/s;

const openEnded: HintsOfTool = {
  annotations: { destructiveHint: true },
  note: 'It starts a program that takes more commands: everything that is typed into it later runs without being asked about.',
};

/**
 * Hints of a skill or a sub-agent. Its calls are judged, so only programs that run without a call count. The agent itself has
 * those of `usual`.
 */
function hintsOfLoaded(name: unknown, textsOf: (name: string) => LoadedText[], usual: readonly string[]): HintsOfTool {
  const texts = typeof name === 'string' ? textsOf(name) : [];
  if (texts.length === 0 && !usual.some((own) => own === name))
    return { note: 'Its text was not found, so it may run commands of its own.' };
  const running = texts.flatMap(runsBy);
  return running.length === 0 ? reads : { note: `It runs commands of its own: ${running.join('; ').slice(0, 1_000)}` };
}

/**
 * A call about which the agent asks its own person while a hook waits for Assentry: the first answer counts. The hook keeps the
 * id of its request in a file; the hook that runs after the call withdraws that request.
 */
export interface RacedCall {
  /** The client, which also notes the request that it opens. */
  noting(client: AssentryClient): AssentryClient;
  /** Was the noted request withdrawn because the agent's own person was first? */
  isWithdrawn(): boolean;
  /** Withdraws the noted request, if any. */
  withdraw(client: Promise<AssentryClient>): Promise<void>;
  /** Forgets the request, which has its answer. */
  forget(): void;
}

/** Equal calls of one session share a file. */
export async function openRacedCall(
  directory: string,
  harness: Harness,
  { session_id: session, tool_name: tool, tool_input: input }: SessionCall,
): Promise<RacedCall> {
  const folder = racedCallsIn(directory);
  const file = path.join(folder, await sha256(canonicalText({ harness, session, tool, input })));
  let hasNoted = false;
  const forget = (): void => rmSync(file, { force: true });
  return {
    noting: (client) => ({
      ...client,
      async open(question, options) {
        const opened = await client.open(question, options);
        if (opened.status === 'open') {
          mkdirSync(folder, { recursive: true, mode: 0o700 });
          writeFileSync(file, opened.id, { mode: 0o600 });
          hasNoted = true;
        }
        return opened;
      },
    }),
    isWithdrawn: () => hasNoted && readNoted(file) === null,
    async withdraw(client) {
      const id = readNoted(file);
      if (id === null) return;
      forget();
      await (await client).cancel(id, { cause: 'user' });
    },
    forget,
  };
}

function readNoted(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Does a program of this command line wait for more commands, from a terminal or a pipe? */
export const isOpenEnded = (line: string, variables: Variables): boolean =>
  readCommands(line, variables).some(
    (command) => waitsForMore(command) || readsCommands(command) || startsShell(command),
  );

/** Words before a program that still start it, with their options; those of a shell as well. */
const starters =
  /^-|^(?:sudo|doas|env|exec|nohup|time|timeout|command|builtin|nice|ionice|setsid|stdbuf|unbuffer|script|rlwrap|watch|chroot|unshare|nsenter|busybox|coproc|flock|strace|ltrace|valgrind|taskset|chrt|numactl|fakeroot|firejail|bwrap|dbus-run-session|xvfb-run|caffeinate|if|then|else|elif|while|until|do|[!{]|\w+=.*)$/s;
/** True after such a word: its value, as the person of sudo or the seconds of timeout, may precede the program. */
const isStarted = (command: Command, at: number): boolean => at > 0 && starters.test(command[at - 1] ?? '');
const interpreters =
  /^(?:ba|z|da|k|mk|c|tc|fi|a|r|xon|elvi|osh|y|n?u)?sh$|^(?:nu|pwsh|powershell|cmd|[ibp]?python[\d.]*|ptpython|ptipython|pypy[\d.]*|node|nodejs|deno|bun|ts-node|tsx|ruby|irb|pry|perl|php|psysh|lua(?:jit)?|R|ghci|scala|jshell|groovysh|julia|tclsh|wish|iex|erl|sbcl|clisp|guile|racket|ocaml|utop|swift|octave|maxima|gnuplot|sage|clj|kotlinc|evcxr|cling)$/;
const clients =
  /^(?:psql|mysql|mariadb|mongosh?|redis-cli|sqlplus|clickhouse-client|duckdb|sqlite3|bc|ed|ex|pgcli|mycli|litecli|cqlsh|influx|mongo)$/;
const remote = /^(?:ssh|telnet|nc|ncat|socat|ftp|sftp|mosh|rlogin)$/;
const always =
  /^(?:su|screen|tmux|expect|gdb|lldb|vi|vim|view|vimdiff|nvim|nano|pico|micro|emacs|visudo|vipw|rbash|less|more|man|top|xargs)$/;
const containers = /^(?:docker|podman|kubectl|nerdctl|oc)$/;

function waitsForMore(command: Command): boolean {
  const at = command.findIndex((word) => !starters.test(word));
  if (at < 0) return false;
  const rest = command.slice(at + 1);
  if (isStarted(command, at) && rest.some((word) => interpreters.test(programOf(word))) && waitsForMore(rest))
    return true;
  const program = programOf(command[at] ?? '');
  const words = command.slice(at + 1);
  const operands = words.filter((word, place) => !word.startsWith('-') && !isValue(program, words[place - 1] ?? ''));
  const isAsked = words.some((word) => /^-(?:[a-z]*[is][a-z]*|-interactive)$/.test(word) || word === '-');
  const option =
    interpreters.test(program) && program.endsWith('sh') ? words.findIndex((word) => /^-[a-z]*c$/.test(word)) : -1;
  const text = words[option + 1] ?? '';
  if (option >= 0) return text.trimStart().startsWith(anything) || isOpenEnded(text, {});
  if (interpreters.test(program)) return operands.length === 0 ? !isInformed(words) : isAsked && operands.length < 2;
  if (clients.test(program))
    return !words.some((word) => /^-{1,2}(?:c|f|e|file|command|execute|eval)\b/.test(word)) && operands.length < 2;
  if (remote.test(program))
    return operands.length < 2 || program !== 'ssh' || isOpenEnded(operands.slice(1).join(' '), {});
  if (containers.test(program)) return words.some((word) => /^-(?:i|it|ti|-interactive)$/.test(word));
  return always.test(program) && !isInformed(words);
}

const programOf = (word: string): string => word.replace(/^.*[\\/]|\.exe$/gi, '');

/** Does the word behind this option belong to it? */
const isValue = (program: string, option: string): boolean =>
  program === 'ssh' && /^-[a-zA-Z]*[pilobcFJLRDSWw]$/.test(option);

/** True if it only prints its version or help, or gets its commands by an option. */
const isInformed = (words: string[]): boolean =>
  words.some((word) => /^(?:-v|-V|-h|--version|--help|-c|-e|-p|-m|--eval|--print|--check|\/c|-Command)$/i.test(word));

/** Words of a console that a program starts by itself. */
const consoles = /^(?:console|shell|repl|dbshell|tinker)$/;
const ofConsole =
  /^(?:rails|bin\/rails|flask|heroku|lein|jupyter|artisan|manage\.py|django-admin|bin\/console|mix|sbt|dotnet|nix)$/;

/** Does it take commands from a terminal or a pipe, or from words that only a shell would expand? */
function readsCommands(command: Command): boolean {
  const at = command.findIndex((word) => !starters.test(word));
  const program = command[at] ?? '';
  const words = command.slice(at + 1);
  if (command.some((word, place) => isEvaluating(word) && command.slice(place + 1).some(isUnknownText))) return true;
  if (command.some((word, place) => interpreters.test(programOf(word)) && terminal.test(command[place + 1] ?? '')))
    return true;
  if (
    /^(?:sudo|doas)$/.test(programOf(command[0] ?? '')) &&
    command.some((word) => /^-[A-Za-z]*[is]$|^--(?:login|shell)$/.test(word))
  )
    return at < 0 || (command[1] ?? '').startsWith('-');
  if (programOf(program) === 'crontab') return words.includes('-e');
  return command.some(
    (word, place) =>
      ofConsole.test(word.replace(/^.*\/(?=(?:rails|console|manage\.py|artisan)$)/, '')) &&
      consoles.test(command[place + 1] ?? ''),
  );
}

const isEvaluating = (word: string): boolean => /^(?:eval|source|\.|trap)$/.test(word);
const isUnknownText = (word: string): boolean => word.includes(anything) || terminal.test(word);
const terminal = /^(?:\/dev\/(?:stdin|tty|fd\/\d+|pts\/\d+)|\/proc\/(?:self|\d+)\/fd\/\d+)$/;

/** Programs whose words are texts, names or files, never programs to start. */
const plain =
  /^(?:echo|printf|which|whereis|type|hash|cd|ls|ll|cat|head|tail|wc|cp|mv|rm|mkdir|rmdir|touch|chmod|chown|ln|stat|file|du|df|[efz]?grep|rg|ag|ack|sort|uniq|diff|cmp|basename|dirname|realpath|readlink|test|\[|export|unset|alias|pgrep|pkill|kill|killall|ps|pidof|man|whatis|apropos|help|tree|code|open|pip[\d.]*|pipx|apt|apt-get|brew|dnf|yum|apk|gem|pacman|choco|winget|scoop|snap|nvm|pyenv|asdf|mise|volta|sdk|command)$/;
const managing =
  /^(?:install|i|add|remove|uninstall|upgrade|update|info|show|search|list|ls|use|pull|push|tag|build|create|init|why|outdated|commit|log|grep|branch|checkout|switch|merge|stash)$/;
const finders = /^-(?:exec|execdir|ok|okdir)$/;

/** True if a shell or the like stands anywhere as a word or an option's value, as if it were started. */
function startsShell(command: Command): boolean {
  const first = command.findIndex((word) => !starters.test(word));
  const program = programOf(command[first] ?? '');
  if (command.some((word) => isValueOfShell(word))) return true;
  if (first < 0 || plain.test(program)) return false;
  const words = command.slice(first + 1);
  if (words.slice(0, 2).some((word) => managing.test(word))) return false;
  const isFinder = /^(?:find|fd|fdfind)$/.test(program);
  return words.some(
    (word, at) =>
      started.test(programOf(word)) &&
      !/\.\w+$/.test(word) &&
      (!isFinder || finders.test(words[at - 1] ?? '') || words.slice(0, at).some((other) => finders.test(other))) &&
      !(interpreters.test(program) && at === 0) &&
      waitsForMore(words.slice(at).filter((other) => !/^(?:;|\+|\{\})$/.test(other))),
  );
}

const started = new RegExp(
  `${interpreters.source}|${clients.source}|^(?:su|screen|tmux|expect|gdb|lldb|vi|vim|nvim|emacs|nano|ssh|telnet|nc|socat)$`,
);

/** True for `--checkpoint-action=exec=sh`, `core.pager=less`, `alias.x=!bash`. */
function isValueOfShell(word: string): boolean {
  if (!/^(?:-{1,2}[\w-]+|[\w.-]*\.[\w.-]+|\w+)=/.test(word) || word.includes('://')) return false;
  const value = word.slice(word.lastIndexOf('=') + 1).replace(/^!/, '');
  const [name = ''] = value.split(' ', 1);
  const isRunning = /exec|pager|editor|command|cmd|shell|alias|action|rsh|program|askpass|filter|textconv|hook/i.test(
    word,
  );
  return isRunning && (started.test(programOf(name)) || always.test(programOf(name))) && waitsForMore(value.split(' '));
}
