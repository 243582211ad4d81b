import type { GiveInformation } from '#requests/deliberation/contract/deliberation';
import { deliberationRoutes } from '#requests/deliberation/contract/routes';
import type {
  CallerPresence,
  CancelElicitation,
  ClaimToolCall,
  CompleteToolCall,
  ElicitationState,
  OpenedElicitation,
  OpenElicitation,
  RelayedAnswer,
  ReleaseToolCall,
  ToolCallClaim,
} from '#requests/asking/contract/open';
import type { ToolCallState } from '#requests/claims/contract';
import {
  elicitationRoutes,
  identityRoutes,
  memoRoutes,
  passRoutes,
  type BeginMemo,
  type BegunMemo,
  type KeepMemo,
  type KeptMemo,
  type Passes,
  type RedeemedRound,
  type RedeemedState,
  type RedeemState,
  type RenewPasses,
  type SealedRound,
  type SealedState,
  type SealRound,
  type SealState,
  type ServerIdentity,
} from '#requests/asking/contract/routes';
import { knownHints } from './known-hints.ts';
import { toolRoutes, type ReportTools } from '#access/keys/contract/key';
import {
  credentialRoutes,
  type FindCredential,
  type PersonalCredential,
  type RefuseCredential,
} from '#connect/credentials/contract';
import {
  connectionRoutes,
  type ConnectionToken,
  type FindConnection,
  type FoundConnection,
  type UseConnection,
} from '#connect/connections/contract';
import {
  secretRoutes,
  type FindSecret,
  type FoundSecret,
  type SecretText,
  type UseSecret,
} from '#connect/secrets/contract';
import {
  tokenRoutes,
  type CallbackReport,
  type MintedToken,
  type MintToken,
  type RecognizedPage,
  type RecognizePage,
} from '#requests/pages/contract';
import type { CallOf } from '#platform/http/contract/call';
import type { RouteContract } from '#platform/http/contract/route';
import { Problem } from '#platform/model/problem';
import {
  addressOf,
  assertNames,
  clientOptions,
  connectionOf,
  type ClientOptions,
  type Connection,
  exchange,
  exchangeOf,
  type Exchange,
  type ResultOf,
  problemOf,
} from './transport.ts';
import { randomHex } from './digest.ts';
import { type StreamStart, OutcomeWaits, type WaitOptions } from './outcomes.ts';

export { Problem } from '#platform/model/problem';
export { runDigest, type AboutToRun } from './digest.ts';
export type { FieldError, ProblemCode } from '#platform/model/problem';
export type { GiveInformation } from '#requests/deliberation/contract/deliberation';
export type {
  CallerPresence,
  CancelElicitation,
  ClaimToolCall,
  CompleteToolCall,
  ElicitationState,
  OpenedElicitation,
  OpenElicitation,
  RelayedAnswer,
  ReleaseToolCall,
  ToolCallClaim,
} from '#requests/asking/contract/open';
export type {
  RedeemedState,
  RedeemState,
  SealedState,
  SealState,
  StateBinding,
} from '#requests/asking/contract/routes';
export type { Passes, RenewPasses } from '#requests/asking/contract/routes';
export type { ReportTools } from '#access/keys/contract/key';
export type { FindCredential, PersonalCredential, RefuseCredential } from '#connect/credentials/contract';
export type { ConnectionToken, FindConnection, FoundConnection, UseConnection } from '#connect/connections/contract';
export type { BeginMemo, BegunMemo, KeepMemo, KeptMemo } from '#requests/asking/contract/routes';
export type { ServerIdentity } from '#requests/asking/contract/routes';
export type { MintedToken, MintToken } from '#requests/pages/contract';
export type { ToolCallState } from '#requests/claims/contract';
export type { ClientOptions } from './transport.ts';
export type { WaitOptions } from './outcomes.ts';

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /**
   * The W3C trace of the call, which Assentry logs; of an opening, webhooks bring it as well. By default the one that
   * OpenTelemetry has active.
   */
  traceparent?: string | undefined;
  /** How often the call is sent again after a passing fault (default: as often as the client's calls are). */
  retries?: number | undefined;
}

/**
 * The orchestrator as an MCP server sees it. Every method rejects with a `Problem`, or with the signal's reason. A
 * request that failed on the way is sent again and has its effect only once.
 */
export interface AssentryClient {
  /** Asks, or joins the same question of the same tool call; `idempotencyKey` is random if it is absent. */
  open(question: OpenElicitation, options?: RequestOptions & { idempotencyKey?: string }): Promise<OpenedElicitation>;
  /** Reads the state; with `wait` (milliseconds, up to 25 000) it answers early only if the elicitation closes. */
  get(id: string, options?: RequestOptions & { wait?: number }): Promise<ElicitationState>;
  /** Passes on the requester's answer from the MCP client. The state it returns is what counts. */
  answer(id: string, answer: RelayedAnswer, options?: RequestOptions): Promise<ElicitationState>;
  /**
   * Passes on the requester's reply to an approver's inquiry; it is not a vote. `not-now` if there is a reply already.
   */
  giveInformation(id: string, information: GiveInformation, options?: RequestOptions): Promise<ElicitationState>;
  cancel(id: string, cancel?: CancelElicitation, options?: RequestOptions): Promise<ElicitationState>;
  /** Reports whether the caller still waits. */
  markCaller(id: string, state: CallerPresence['state'], options?: RequestOptions): Promise<ElicitationState>;
  /** What another process needs to continue a call; `not-found` for a call of another server. */
  getToolCall(toolCall: string, options?: RequestOptions): Promise<ToolCallState>;
  /** Takes the one execution that the answer releases; `digest-mismatch` if another run was approved. */
  claim(toolCall: string, claim: ClaimToolCall, options?: RequestOptions): Promise<ToolCallClaim>;
  /**
   * Gives back an execution that this attempt has not used, so that another attempt can claim it; this one never can.
   * While Assentry is away it is sent again for an hour.
   */
  release(toolCall: string, release: ReleaseToolCall, options?: RequestOptions): Promise<void>;
  /**
   * Completes what this attempt has claimed, or ends a call that releases nothing; otherwise `not-claimed`. While
   * Assentry is away it is sent again for an hour, so that no call stays claimed because an outage was long.
   */
  complete(toolCall: string, completion: CompleteToolCall, options?: RequestOptions): Promise<void>;
  /** Finds what a step of a call made, or reserves the idempotency key under which it makes it. */
  beginMemo(request: BeginMemo, options?: RequestOptions): Promise<BegunMemo>;
  /** Keeps what a step made, sealed with its call; returns what is kept, which may be that of another run. */
  keepMemo(toolCall: string, memo: KeepMemo, options?: RequestOptions): Promise<KeptMemo>;
  /** Makes a token for the hosted page or the callback of one question, which may be asked later. */
  mintToken(request: MintToken, options?: RequestOptions): Promise<MintedToken>;
  /** Finds out whether an address is an open page of this Assentry for the same requester. Changes nothing. */
  recognizePage(request: RecognizePage, options?: RequestOptions): Promise<RecognizedPage>;
  /** Reports, as an outside service does, what became of the question of a callback token. */
  reportCallback(token: string, report: CallbackReport, options?: RequestOptions): Promise<void>;
  /** Seals which tool call an MCP client continues when it calls again. Valid once, and only for this request. */
  sealState(request: SealState, options?: RequestOptions): Promise<SealedState>;
  /** Reads a state that an MCP client sent back; `token-invalid` if it is not valid, without the reason. */
  redeemState(request: RedeemState, options?: RequestOptions): Promise<RedeemedState>;
  /** Seals what a server needs to go on with a call that runs, when its client calls again. Valid once, for a day. */
  sealRound(request: SealRound, options?: RequestOptions): Promise<SealedRound>;
  /** Reads a round that a client sent back; `token-invalid` if it is not valid, `stopped` while its tool is stopped. */
  redeemRound(request: RedeemState, options?: RequestOptions): Promise<RedeemedRound>;
  /** The server that this key belongs to; `unauthenticated` if Assentry does not accept the key. */
  identify(options?: RequestOptions): Promise<ServerIdentity>;
  /**
   * Reports the calls that ran by passes, and asks for passes for the next moment: a tool with one may run for this
   * requester without being asked about, whatever its arguments. Also says what is denied whatever the arguments.
   */
  renewPasses(renewal: RenewPasses, options?: RequestOptions): Promise<Passes>;
  /** Reports which tools the server has, by the digests of their definitions; nothing is decided by it. */
  reportTools(report: ReportTools, options?: RequestOptions): Promise<void>;
  /** What this server is shown in the name of the person with this access token; `forbidden` if no one can check it. */
  findCredential(request: FindCredential, options?: RequestOptions): Promise<PersonalCredential>;
  /** Reports that the server did not take these credentials of the person with this access token. */
  refuseCredential(id: string, request: RefuseCredential, options?: RequestOptions): Promise<void>;
  /** Finds what the requester has connected at a provider for this server. */
  findConnection(request: FindConnection, options?: RequestOptions): Promise<FoundConnection>;
  /** Gives a token of the requester's account, renewed if it has to be. */
  useConnection(id: string, person: UseConnection, options?: RequestOptions): Promise<ConnectionToken>;
  /** Reports that the provider did not take the token: it is not given out again. */
  refuseConnection(id: string, person: UseConnection, options?: RequestOptions): Promise<void>;
  /** Looks for a secret that its person keeps until they remove it. */
  findSecret(request: FindSecret, options?: RequestOptions): Promise<FoundSecret>;
  /** Gives its text; `not-found` if it is no longer this person's, `secret-declined` if it was reported as not working. */
  useSecret(id: string, person: UseSecret, options?: RequestOptions): Promise<SecretText>;
  /** Reports that it does not work: no one gets it any more. */
  refuseSecret(id: string, person: UseSecret, options?: RequestOptions): Promise<void>;
  /**
   * Resolves with the closed elicitation, or with the open one after `timeout` milliseconds or, with `afterInquiry`,
   * when an approver asks the requester something. Survives outages of the orchestrator; all waits of a client share
   * one connection.
   */
  waitForOutcome(id: string, options?: WaitOptions): Promise<ElicitationState>;
}

/** Makes a client for one MCP server's key; throws `config-invalid` if address or key are missing. */
export function createClient(options: ClientOptions = {}): AssentryClient {
  assertNames('createClient', options, clientOptions);
  const connection = connectionOf(options);
  const call = <Route extends RouteContract>(
    route: Route,
    parts: CallOf<Route>,
    options: Omit<Partial<Exchange<unknown>>, 'answer'> = {},
  ): Promise<ResultOf<Route>> => exchange(connection, { ...exchangeOf(route, parts), ...options });
  const get: AssentryClient['get'] = (id, { wait = 0, ...options } = {}) =>
    call(elicitationRoutes.getElicitation, readOf(id, wait), { ...options, hold: wait });
  const waits = new OutcomeWaits({
    read: (id, signal) => call(elicitationRoutes.getElicitation, readOf(id), { signal, limitTimeoutMs: 0 }), // it reads again anyway
    connect: (from, signal) => openStream(connection, from, signal),
  });
  return {
    open: (question, { idempotencyKey = randomHex(), ...options } = {}) => {
      const headers = { 'idempotency-key': idempotencyKey };
      return waits.ask(() =>
        call(elicitationRoutes.openElicitation, { body: withKnownHints(question) }, { headers, ...options }),
      );
    },
    get,
    answer: (id, answer, options) =>
      allowRepeat(
        answer.action,
        () => call(elicitationRoutes.answerElicitation, { params: { id }, body: answer }, options),
        () => get(id, options),
      ),
    giveInformation: (id, body, options) => call(deliberationRoutes.giveInformation, { params: { id }, body }, options),
    cancel: (id, cancel = {}, options) =>
      allowRepeat(
        'cancel',
        () => call(elicitationRoutes.cancelElicitation, { params: { id }, body: cancel }, options),
        () => get(id, options),
      ),
    markCaller: (id, state, options) =>
      call(elicitationRoutes.markCaller, { params: { id }, body: { state } }, options),
    getToolCall: (id, options) => call(elicitationRoutes.getToolCall, { params: { id } }, options),
    claim: (id, body, options) => call(elicitationRoutes.claimToolCall, { params: { id }, body }, options),
    release: (id, body, options) =>
      call(elicitationRoutes.releaseToolCall, { params: { id }, body }, { ...options, timeoutMs: reportTime }),
    complete: (id, body, options) =>
      call(elicitationRoutes.completeToolCall, { params: { id }, body }, { ...options, timeoutMs: reportTime }),
    beginMemo: (body, options) => call(memoRoutes.beginMemo, { body }, options),
    keepMemo: (id, body, options) => call(memoRoutes.keepMemo, { params: { id }, body }, options),
    mintToken: (body, options) => call(tokenRoutes.mintToken, { body }, options),
    recognizePage: (body, options) => call(tokenRoutes.recognizePage, { body }, options),
    reportCallback: async (token, body, options) =>
      void (await call(tokenRoutes.takeCallback, { params: { token }, body }, options)),
    sealState: (body, options) => call(elicitationRoutes.sealState, { body }, options),
    redeemState: (body, options) => call(elicitationRoutes.redeemState, { body }, options),
    sealRound: (body, options) => call(elicitationRoutes.sealRound, { body }, options),
    redeemRound: (body, options) => call(elicitationRoutes.redeemRound, { body }, options),
    renewPasses: (body, options) => call(passRoutes.renewPasses, { body }, options),
    reportTools: (body, options) => call(toolRoutes.reportTools, { body }, options),
    findCredential: (body, options) => call(credentialRoutes.findCredential, { body }, options),
    refuseCredential: (id, body, options) => call(credentialRoutes.refuseCredential, { params: { id }, body }, options),
    findConnection: (body, options) => call(connectionRoutes.findConnection, { body }, options),
    useConnection: (id, body, options) => call(connectionRoutes.useConnection, { params: { id }, body }, options),
    refuseConnection: (id, body, options) => call(connectionRoutes.refuseConnection, { params: { id }, body }, options),
    findSecret: (body, options) => call(secretRoutes.findSecret, { body }, options),
    useSecret: (id, body, options) => call(secretRoutes.useSecret, { params: { id }, body }, options),
    refuseSecret: (id, body, options) => call(secretRoutes.refuseSecret, { params: { id }, body }, options),
    identify: (options) => call(identityRoutes.getIdentity, {}, options),
    waitForOutcome: (id, options) => waits.waitForOutcome(id, options),
  };
}

/** Milliseconds. */
const reportTime = 3_600_000;

const readOf = (id: string, wait = 0): CallOf<typeof elicitationRoutes.getElicitation> => ({
  params: { id },
  ...(wait > 0 && { query: { wait: Math.min(25, Math.ceil(wait / 1000)) } }),
});

/** Drops hints that MCP does not have, because no one would see them. */
const withKnownHints = ({ tool: { annotations, ...tool }, ...question }: OpenElicitation): OpenElicitation => ({
  ...question,
  tool: { ...tool, ...(annotations && { annotations: knownHints(annotations) }) },
});

/** Accepts that a repeated request finds its first try done: the row already has the wanted state. */
async function allowRepeat(
  action: RelayedAnswer['action'],
  send: () => Promise<ElicitationState>,
  read: () => Promise<ElicitationState>,
): Promise<ElicitationState> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'already-closed') throw error;
    const state = await read();
    if (state.action === action) return state;
    throw error;
  }
}

/** Opens a stream, without a deadline; silence shows that it is dead. */
async function openStream(
  connection: Connection,
  { lastEventId, isBrief }: StreamStart,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const { send, readKey, nodes } = connection;
  const url = nodes.current();
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${await readKey()}` };
  const response = await send(addressOf(url, isBrief ? 'v1/stream?wait=25' : 'v1/stream'), {
    headers: lastEventId === undefined ? headers : { ...headers, 'last-event-id': lastEventId },
    signal,
  }).catch((error: unknown) => {
    nodes.leave(url);
    throw error;
  });
  if (response.ok && response.body) return response.body;
  await response.body?.cancel();
  if (response.status >= 500) nodes.leave(url);
  throw problemOf(response.status, undefined);
}
