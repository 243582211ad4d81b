import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { supportsElicitation } from '#sdk/mcp/question/call/capabilities';
import type { McpClient } from '../../calls/connections/mcp-client.ts';
import { beginRound, continueRound } from '../../calls/serve-call/rounds.ts';
import {
  errorFrame,
  isObject,
  resultFrame,
  rpcCodes,
  rpcError,
  RpcFault,
  type Frame,
} from '../../frames/frame/frame.ts';
import type { CallFrame, JudgedFrame } from '../../frames/mcp-words/judge-frame.ts';
import type { Caller } from '../../identity/caller.ts';
import { CredentialsNeeded } from '../../upstreams/credentials/credentials-needed.ts';
import type { UpstreamGate } from '../upstream/upstream-gate.ts';

/** Milliseconds for which a call waits for its person, who was sent to the page: clients give a call a minute. */
const maxRoundMs = 45_000;
const pause = 500;
/** Names the question. */
const question = 'credentials';

/** How one call comes to the credentials of its person. */
export class CredentialRound {
  readonly #gate: UpstreamGate;
  readonly #mcpClient: McpClient;
  readonly #caller: Caller;
  /** Its client was asked already. */
  #isAsked = false;

  constructor(gate: UpstreamGate, mcpClient: McpClient, caller: Caller) {
    this.#gate = gate;
    this.#mcpClient = mcpClient;
    this.#caller = caller;
  }

  /** The message to judge, once the upstream can serve this person. Rejects with the error to answer if it cannot. */
  async admit(frame: JudgedFrame, { signal }: { signal: AbortSignal }): Promise<JudgedFrame> {
    const { upstream, holdTimeoutMs: most = maxRoundMs } = this.#gate;
    const { principal } = this.#caller;
    const answered = isCall(frame) ? await continueRound(await this.#gate.place(), { frame, principal }) : null;
    this.#isAsked = answered !== null;
    if (answered && !isAccepted(answered.responses)) throw new RpcFault(declined);
    for (const end = performance.now() + (answered ? most : 0); ; await rest(signal)) {
      try {
        await upstream.admit?.(this.#caller);
        return answered?.frame ?? frame;
      } catch (error) {
        if (!(error instanceof CredentialsNeeded) || performance.now() >= end) throw error;
      }
    }
  }

  /** Clients that open addresses get it past the model; the others as the result of the tool, which people read. */
  async ask(needed: CredentialsNeeded, frame: JudgedFrame): Promise<Frame> {
    const { id } = frame;
    const { isModern } = this.#mcpClient;
    if (needed.url !== null && supportsElicitation(this.#mcpClient.capabilities, 'url')) {
      if (!isModern) return errorFrame(id, needed.asElicitation().error);
      if (isCall(frame) && !this.#isAsked && frame.params['requestState'] === undefined)
        return resultFrame(id, await this.#questionFor(needed, frame));
    }
    if (!isCall(frame)) return errorFrame(id, needed.error);
    const content = [{ type: 'text', text: needed.error.message }];
    return resultFrame(id, { ...(isModern && { resultType: 'complete' }), content, isError: true });
  }

  /** The state gives no right: the call that brings it is judged like any other. */
  async #questionFor({ sentence: message, url }: CredentialsNeeded, frame: CallFrame) {
    const request = { method: 'elicitation/create', params: { mode: 'url', message, url } };
    const requestState = await beginRound(await this.#gate.place(), { frame, principal: this.#caller.principal });
    return { resultType: 'input_required', inputRequests: { [question]: request }, requestState };
  }
}

/** Rejects with the signal's reason. */
const rest = (signal: AbortSignal): Promise<void> =>
  sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted());

const isCall = (frame: JudgedFrame): frame is CallFrame => frame.method === 'tools/call';

function isAccepted(responses: unknown): boolean {
  const response = isObject(responses) ? responses[question] : undefined;
  return isObject(response) && response['action'] === 'accept';
}

const declined = rpcError(
  rpcCodes.internal,
  'unauthenticated',
  'Call again if you want to enter credentials: you declined it. Nothing was run.',
);
