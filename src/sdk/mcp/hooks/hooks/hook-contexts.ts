import type { ElicitationState, OpenedElicitation, OpenElicitation } from '../../../client/client.ts';
import type { FormContent, ResultSchema } from '#platform/form/schema';
import type { Action, CancelCause } from '#requests/asking/contract/elicitation';
import type { ElicitationCapabilities } from '../../question/call/capabilities.ts';
import type { Channel } from '../../question/call/channel.ts';
import type { ElicitOptions } from '../../question/question/elicit-options.ts';
import type { ElicitResult } from '../../question/result/elicit-result.ts';
import type { CallAuthorization } from '../../question/call/incoming-call.ts';
import type { Asks } from '../../question/question/question.ts';

/** What hooks see at every stage: the call and the question. Everything is read-only unless stated otherwise. */
export interface CallContext {
  readonly tool: OpenElicitation['tool'];
  /** The arguments the tool will run with. */
  readonly args: Record<string, unknown>;
  readonly requester: OpenElicitation['requester'];
  /** The connection this call came by. */
  readonly session: string;
  readonly capabilities: ElicitationCapabilities | undefined;
  /** From the caller's access token, if there is one and the caller is still there. */
  readonly authInfo: CallAuthorization | undefined;
  /** Names the question within the call. */
  readonly step: string;
  /** Aborts when no one waits for the question any more. */
  readonly signal: AbortSignal;
}

/** What the tool asks with; all three may be changed or replaced. */
interface AskedContext extends CallContext {
  message: string;
  asks: Asks;
  /** An audience of approvers cannot be changed. */
  options: Omit<ElicitOptions, 'key' | 'signal'>;
}

/** The question to store. To change it, set its parts at parseInput. */
interface RequestContext extends CallContext {
  readonly request: Readonly<OpenElicitation>;
}

interface NamingContext extends RequestContext {
  /** May be set in URL mode: the token of the question. */
  elicitationId: string | undefined;
}

interface StoredContext extends RequestContext {
  /** With `joined`, the question of an earlier run of the same call. */
  readonly elicitation: Readonly<Omit<OpenedElicitation, 'code'>>;
}

interface SendingContext extends StoredContext {
  readonly channel: Channel;
  /** May be set: goes to the MCP client as `_meta`. The person always reads the stored question. */
  meta: Record<string, unknown> | undefined;
}

export interface BuiltContext extends StoredContext {
  readonly channel: Channel;
  readonly params: RequestParams;
}

/** The parameters of `elicitation/create`; the channels that end with a person in a browser show the same there. */
export type RequestParams =
  | { mode: 'form'; message: string; requestedSchema: ResultSchema; _meta?: Record<string, unknown> }
  | { mode: 'url'; message: string; url?: string; elicitationId: string; _meta?: Record<string, unknown> };

interface ReceivedContext extends CallContext {
  readonly elicitId: string;
}

interface AnswerContext extends ReceivedContext {
  readonly action: Action;
  readonly cause: CancelCause | null;
  /** What the deciding person wrote. */
  readonly comment: string | null;
}

export interface PendingContext extends AnswerContext {
  /** The closed row; its times are in milliseconds of one clock. */
  readonly elicitation: Readonly<ElicitationState>;
}

interface ContentContext extends PendingContext {
  /** Only of an accept; may be changed or replaced, and is validated again afterwards. The recorded answer stays. */
  content: FormContent | undefined;
}

interface CheckedContext extends PendingContext {
  readonly content: Readonly<FormContent> | undefined;
}

interface ResultContext extends CheckedContext {
  readonly result: Readonly<ElicitResult<unknown>>;
}

/** From `elicit()` to sending the question: what a hook gets before and after each stage. */
interface RequestStages {
  parseInput: { before: AskedContext; after: RequestContext };
  validateRequest: { before: RequestContext; after: RequestContext };
  generateElicitId: { before: NamingContext; after: RequestContext };
  storePendingRecord: { before: RequestContext; after: StoredContext };
  buildRequestParams: { before: SendingContext; after: BuiltContext };
  finalize: { before: BuiltContext; after: BuiltContext };
}

/** From the recorded answer to what `elicit()` resolves with. */
interface ResultStages {
  parseInput: { before: ReceivedContext; after: AnswerContext };
  lookupPending: { before: AnswerContext; after: PendingContext };
  validateContent: { before: ContentContext; after: CheckedContext };
  buildResult: { before: ContentContext; after: ResultContext };
  publishResult: { before: ResultContext; after: ResultContext };
  finalize: { before: ResultContext; after: ResultContext };
}

export interface Flows {
  request: RequestStages;
  result: ResultStages;
}

export const stages = {
  request: [
    'parseInput',
    'validateRequest',
    'generateElicitId',
    'storePendingRecord',
    'buildRequestParams',
    'finalize',
  ],
  result: ['parseInput', 'lookupPending', 'validateContent', 'buildResult', 'publishResult', 'finalize'],
} as const satisfies { [F in keyof Flows]: (keyof Flows[F])[] };
