import type { AskedTool, ElicitationState, NamedRequester } from '#requests/asking/contract/open';
import type { StateBinding } from '#requests/asking/contract/routes';
import type { FormSchema } from '#platform/form/schema';
import type { Action } from '#requests/asking/contract/elicitation';
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

/** The alleged answer of the person; not checked yet. */
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

/** A form for the client to show to its person. */
export interface FormRequest {
  message: string;
  schema: FormSchema;
  /** For the client itself, as `_meta`. */
  meta?: Record<string, unknown> | undefined;
}

/** An address for the client to show to its person. */
export interface UrlRequest {
  message: string;
  url: string;
  elicitationId: string;
  /** For the client itself, as `_meta`. */
  meta?: Record<string, unknown> | undefined;
}

/** A question in a result, for the client to ask its person. */
export type RoundQuestion = ({ mode: 'form' } & FormRequest) | ({ mode: 'url' } & Omit<UrlRequest, 'elicitationId'>);

/** What bounds a question. */
export interface AskLimits {
  signal: AbortSignal;
  /** Milliseconds. */
  timeout: number;
  /** The request that the answer decides; absent if it decides none. */
  elicitationId?: string | undefined;
}

/** How an adapter sends the person at the client to an address. */
export interface UrlSending {
  /** Asks for the person's consent on this call's own stream. Never rejects. */
  ask(request: UrlRequest, limits: AskLimits): Promise<ClientReply>;
  /** Tells the client, on this call's own stream, that the person is done at the address. Never rejects. */
  notifyDone(elicitationId: string): Promise<void>;
  /** Tells the client, on the stream of its session, when the call is over. Never rejects. */
  notifyLater(elicitationId: string): Promise<void>;
  /** Aborts when the client's connection ends. */
  ended(): AbortSignal;
  /** Represents a result: the call fails with the address, and the client calls again. */
  require(request: UrlRequest): ToolResult;
}

/** One round of a call whose client is asked by the result, and calls again with the answers. */
export interface Round {
  /** What the client sent, by step; not checked. */
  answers: Readonly<Record<string, unknown>>;
  /** The stored call that asked, by the state: the answers count for its questions alone. */
  answered?: string | undefined;
  /** The request that may return the state. */
  binding: StateBinding;
  /** The result that makes the client ask its person these questions, by step, and call again. */
  askFor(questions: ReadonlyMap<string, RoundQuestion>, state: string): ToolResult;
}

/** What a client gets if it fetches the result later. */
export interface Task {
  /** A run without a waiting client: its result is kept to be fetched. */
  isBackground: boolean;
  /** The requester's questions, too, are fetched with the task. */
  holdsQuestions: boolean;
  /** The result with the task. */
  handOut(state: ElicitationState): ToolResult;
}

/** What the SDK found in the caller's access token. */
export interface CallAuthorization {
  clientId: string;
  scopes: string[];
  extra?: Record<string, unknown> | undefined;
}

/** One `tools/call` from the adapter of an SDK; nothing else in this folder depends on an SDK. */
export interface IncomingCall {
  tool: z.infer<typeof AskedTool>;
  /** What the tool's code gets. */
  args: unknown;
  /**
   * What the tool's code gets for arguments that people have seen, by its input schema; undefined if the schema would
   * change them. A tool without this accepts no edits.
   */
  readSeen?: ((args: Record<string, unknown>) => Promise<unknown>) | undefined;
  /** The connection this call came by; never undefined, so that questions of two connections never meet. */
  session: string;
  requester: z.infer<typeof NamedRequester>;
  capabilities: ElicitationCapabilities | undefined;
  authInfo?: CallAuthorization | undefined;
  /** For the orchestrator alone, if the author lets it be sent. */
  accessToken?: string | undefined;
  /** The trace that the call belongs to, as its caller says. */
  traceparent?: string | undefined;
  /** Aborts when the caller cancels or its connection ends. */
  signal: AbortSignal;
  /** What becomes of the call's response; undefined if the adapter cannot tell. */
  delivery?: Delivery | undefined;
  /** Undefined if the caller gave no progress token. */
  sendProgress: ((progress: number, message: string) => Promise<void>) | undefined;
  /** True if the tool promises structured content, without which only an error result is allowed. */
  hasOutputSchema: boolean;
  /** Shows the form to the person on this call's own stream. Never rejects. */
  ask(question: FormRequest, limits: AskLimits): Promise<ClientReply>;
  urls?: UrlSending | undefined;
  /** Makes the client read the list of tools again. Never throws. */
  notifyToolsChanged?: (() => void) | undefined;
  /** Set if the client cannot ask its person while its call is open. */
  round?: Round | undefined;
  /** Set if the client accepts a task as a result. */
  task?: Task | undefined;
  /** The stored call that this run continues: it asks as part of that call, or not at all. */
  continues?: string | undefined;
  /** The answer that the agent passes on to one of its questions. */
  relayedAnswer?: { elicitId: string; answer: ToldAnswer } | undefined;
}
