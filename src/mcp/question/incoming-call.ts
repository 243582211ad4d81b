import type { AskedTool, ElicitationState, NamedRequester } from '../../contract/servers/elicitation.ts';
import type { StateBinding } from '../../contract/servers/request-state.ts';
import type { FormSchema } from '../../form/schema.ts';
import type { Action } from '../../model/elicitation.ts';
import type { z } from 'zod';
import type { ElicitationCapabilities } from './capabilities.ts';
import type { Delivery } from './delivery.ts';

/** A tool's result as MCP has it, in no SDK's types. */
export interface ToolResult {
  content: unknown[];
  isError?: boolean;
  _meta?: Record<string, unknown>;
  [more: string]: unknown;
}

/** What is said to be the person's answer; nothing of it is checked yet. */
export interface ToldAnswer {
  action: Action;
  content: unknown;
}

/** What the person in front of the MCP client said, or why they could not be asked. */
export type ClientReply =
  | ({ kind: 'answer'; channel?: 'told' } & ToldAnswer)
  /** With `knowsNone` it can be asked in no mode at all. */
  | { kind: 'unsupported'; reason: string; knowsNone?: boolean }
  | { kind: 'timeout' }
  | { kind: 'failed'; reason: string };

/** A form as a client is to put it to its person. */
export interface FormRequest {
  message: string;
  schema: FormSchema;
  /** For the client itself, as `_meta`. */
  meta?: Record<string, unknown> | undefined;
}

/** An address as a client is to show it to its person. */
export interface UrlRequest {
  message: string;
  url: string;
  elicitationId: string;
  /** For the client itself, as `_meta`. */
  meta?: Record<string, unknown> | undefined;
}

/** What a result has the client ask its person. */
export type RoundQuestion = ({ mode: 'form' } & FormRequest) | ({ mode: 'url' } & Omit<UrlRequest, 'elicitationId'>);

/** How an adapter sends the person at the client to an address. */
export interface UrlSending {
  /** Asks for the person's consent on this call's own stream. Never rejects. */
  ask(request: UrlRequest, options: { signal: AbortSignal; timeout: number }): Promise<ClientReply>;
  /** Tells the client, on this call's own stream, that what it was sent to is done. Never rejects. */
  tellDone(elicitationId: string): Promise<void>;
  /** Tells the client, on the stream of its session, when the call is over. Never rejects. */
  tellLater(elicitationId: string): Promise<void>;
  /** Aborts when the client's connection ends. */
  ended(): AbortSignal;
  /** Stands for a result: the call fails with the address, and the client calls again. */
  require(request: UrlRequest): ToolResult;
}

/** One round of a call whose client is asked by the result, and calls again with the answers. */
export interface Round {
  /** What the client brought along, by step: anything at all. */
  answers: Readonly<Record<string, unknown>>;
  /** The request that may bring the state back. */
  binding: StateBinding;
  /** The result that has the client ask its person these questions, by step, and call again. */
  askFor(questions: ReadonlyMap<string, RoundQuestion>, state: string): ToolResult;
}

/** What a client gets that fetches the result later. */
export interface Task {
  /** A run of its own, with no client that waits for it: its result is kept to be fetched. */
  isBackground: boolean;
  /** The requester's questions, too, are fetched with the task. */
  holdsQuestions: boolean;
  /** The result that hands out the task. */
  handOut(state: ElicitationState): ToolResult;
}

/** What the SDK found in the caller's access token. */
export interface CallAuthorization {
  clientId: string;
  scopes: string[];
  extra?: Record<string, unknown> | undefined;
}

/** One `tools/call` as the adapter of an SDK generation hands it over; all else in this folder knows no SDK. */
export interface IncomingCall {
  tool: z.infer<typeof AskedTool>;
  /** What the tool's code gets. */
  args: unknown;
  /**
   * What the tool's code gets for arguments that people have seen, by its input schema; undefined where that would turn
   * them into others. A tool without this takes no edits.
   */
  readSeen?: ((seen: Record<string, unknown>) => Promise<unknown>) | undefined;
  /** The connection this call came by; never undefined, so that questions of two connections never meet. */
  session: string;
  requester: z.infer<typeof NamedRequester>;
  capabilities: ElicitationCapabilities | undefined;
  authInfo?: CallAuthorization | undefined;
  /** Aborts when the caller cancels or its connection ends. */
  signal: AbortSignal;
  /** What becomes of the call's response; undefined if the adapter cannot tell. */
  delivery?: Delivery | undefined;
  /** Undefined if the caller gave no progress token. */
  sendProgress: ((progress: number, message: string) => Promise<void>) | undefined;
  /** True where the tool promises structured content, without which only an error result is let through. */
  hasOutputSchema: boolean;
  /** Puts the form to the person on this call's own stream. Never rejects. */
  ask(question: FormRequest, options: { signal: AbortSignal; timeout: number }): Promise<ClientReply>;
  urls?: UrlSending | undefined;
  /** Has the client look at the list of tools again. Never throws. */
  tellToolsChanged?: (() => void) | undefined;
  /** Where the client cannot be asked while its call is open. */
  round?: Round | undefined;
  /** Where the client takes a task for a result. */
  task?: Task | undefined;
  /** The stored call that this run goes on with: it asks as part of that one, or not at all. */
  continues?: string | undefined;
  /** The answer the agent brings to one of its questions. */
  told?: { elicitId: string; answer: ToldAnswer } | undefined;
}
