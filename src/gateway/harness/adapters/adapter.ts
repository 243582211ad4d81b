import type { HookEventName, JudgedEventName } from './harness.ts';
import type { HookEvent } from './hook-event.ts';
import path from 'node:path';

/** Decision on a call; `input` if people edited it, or if the agent is given back what was approved. */
export type Verdict =
  | { isAllowed: true; input?: Record<string, unknown> | undefined }
  | { isAllowed: false; reason: string }
  /** The agent continues by its own rules. */
  | { isAllowed: null };

/** Parts of the hook's command. */
export interface HookWords {
  /** The program and its first words. */
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

/** A file that holds the hook. */
export interface HookFile {
  /** Text of an empty file. */
  empty: string;
  /** The text with the hook; null if it cannot be read. Idempotent. */
  add(text: string, words: HookWords): string | null;
  /** The text without the hook; everything else stays. Null if it cannot be read. */
  remove(text: string): string | null;
  /** Is the file empty now? */
  isEmpty(text: string): boolean;
  /** Faults of the hook in this file, a sentence for each. Null is a missing file. */
  check(file: string, text: string | null): string[];
}

/** The members of a tool that name files, and its other members: with an unknown one it may do something else. */
export interface FileTool {
  paths: readonly string[];
  others: readonly string[];
}

/** Known tools of an agent, which have no hints. Any other tool is held. */
export interface OwnTools {
  /**
   * Tools that read files, with the members that name these files. Without such a member they read the folder in which they
   * run.
   */
  readers: Readonly<Record<string, FileTool>>;
  /** Tools that write the files that their members name. */
  writers?: Readonly<Record<string, FileTool>>;
  /** Tools that change only the agent's own plans, or ask its person. */
  plans: readonly string[];
  /** Tools that run the command line in their member `command`. */
  shells: readonly string[];
  /** Tool that loads a text which may run commands. */
  skill?: string;
  /**
   * Tools that start a sub-agent, the built-in sub-agents (the first is the default), and the members with which the hook still
   * sees its calls: with another member it may run elsewhere.
   */
  agents?: { tools: readonly string[]; usual: readonly string[]; members: readonly string[] };
}

/** A coding agent that asks a program before each call. */
export interface HarnessAdapter {
  /** Name for people. */
  title: string;
  /** Events for which the hook can be installed. */
  events: readonly HookEventName[];
  /** Place of a person's hooks; the agent is used here if the folder exists. */
  placeOf(place: HarnessPlace): { folder: string; file: string };
  hookFile: HookFile;
  /** The agent asks its own person while the hook of `PermissionRequest` waits, and the first answer counts. */
  isRaced?: true;
  tools: OwnTools;
  /** Files of a project, and of the folders above it, that the agent shows its model when it starts. */
  instructions: readonly string[];
  /** The agent's event about a call, with the names of `HookEvent`. */
  eventOf?(members: Record<string, unknown>): Record<string, unknown>;
  answerOf(event: JudgedEventName, verdict: Verdict): Record<string, unknown>;
  /** Does the agent run the call with this input instead of its own? */
  takesInput(event: HookEvent, input: Record<string, unknown>): boolean;
  /**
   * Does a yes return the approved input? The agent runs its hooks in parallel and takes the input of the last one: so no hook
   * that ends before this one changes the run.
   */
  givesBack?(event: HookEvent): boolean;
  /** Limits that no setting changes. */
  limits: readonly string[];
}

/** Folder with the ids of the requests that hooks wait for, in Assentry's own directory. */
export const racedCallsIn = (directory: string): string => path.join(directory, 'raced-calls');
