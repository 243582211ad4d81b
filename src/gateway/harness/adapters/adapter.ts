import type { HookEventName, JudgedEventName } from './harness.ts';
import type { HookEvent } from './hook-event.ts';
import path from 'node:path';

/** Decision on a call; `input` if people edited it, or if the agent is given back what was approved. */
export type Verdict =
  | { isAllowed: true; input?: Record<string, unknown> | undefined }
  | { isAllowed: false; reason: string }
  /** The agent goes on by its own rules. */
  | { isAllowed: null };

/** Parts of the hook's command. */
export interface HookWords {
  /** The program, and its first words. */
  program: readonly string[];
  /** Data directory of Assentry. */
  directory: string;
  /** Address of Assentry, if it does not run on the data directory. */
  url?: string | undefined;
  event: HookEventName;
  /** Seconds that the harness waits for the hook. */
  timeout: number;
}

/** Folders of this machine. */
export interface HarnessPlace {
  home: string;
  variables: Readonly<Record<string, string | undefined>>;
}

/** A file with the hook in it. */
export interface HookFile {
  /** Text of an empty file. */
  empty: string;
  /** The text with the hook; null if it cannot be read. Doing it twice changes nothing. */
  add(text: string, words: HookWords): string | null;
  /** The text without it; all else stays. Null if it cannot be read. */
  remove(text: string): string | null;
  /** Does the file hold nothing any more? */
  isEmpty(text: string): boolean;
  /** Faults of the hook in this file, a sentence for each. Null stands for a file that is not there. */
  check(file: string, text: string | null): string[];
}

/** Known tools of an agent, which say nothing of themselves. Any other tool is held. */
export interface OwnTools {
  /** Tools that read files, by the members that say which. Without one they read the folder in which they run. */
  readers: Readonly<Record<string, readonly string[]>>;
  /** Tools that change nothing but the agent's own plans, or ask its person. */
  plans: readonly string[];
  /** Tools that run a command line, which is their member `command`. */
  shells: readonly string[];
  /** The tool that loads a text which may run commands. */
  skill?: string;
  /**
   * Tools that start a sub-agent, the sub-agents that no file makes, of which the first is started if none is named, and the members
   * that leave its calls to the hook: by another one it may run elsewhere.
   */
  agents?: { tools: readonly string[]; usual: readonly string[]; members: readonly string[] };
}

/** A coding agent that asks a program before it runs a call. */
export interface HarnessAdapter {
  /** As people call it. */
  title: string;
  /** The events that the hook can be installed for. */
  events: readonly HookEventName[];
  /** Place of a person's hooks; the agent is used here if the folder is there. */
  placeOf(place: HarnessPlace): { folder: string; file: string };
  hookFile: HookFile;
  /** It asks its own person while the hook of `PermissionRequest` waits, and the first answer counts. */
  isRaced?: true;
  tools: OwnTools;
  /** Files of a project, and of the folders above it, that the agent shows its model when it starts. */
  instructions: readonly string[];
  /** The agent's event about a call, by the names of `HookEvent`. */
  eventOf?(members: Record<string, unknown>): Record<string, unknown>;
  answerOf(event: JudgedEventName, verdict: Verdict): Record<string, unknown>;
  /** Does the agent run the call with this input in place of its own? */
  takesInput(event: HookEvent, input: Record<string, unknown>): boolean;
  /**
   * Does a yes bring the approved input back? The agent runs its hooks at the same time, and of the inputs that they bring
   * it takes the last: so no hook that ends before this one changes what runs.
   */
  givesBack?(event: HookEvent): boolean;
  /** Is this a tool of an MCP server, which is left to the gateway? Without it all are judged. */
  leavesToGateway?(tool: string): boolean;
  /** Limits that no setting changes. */
  limits: readonly string[];
}

/** Folder with the ids of the requests that hooks wait for, in Assentry's own directory. */
export const racedCallsIn = (directory: string): string => path.join(directory, 'raced-calls');
