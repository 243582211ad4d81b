import { randomHex } from '../../client/hex.ts';
import { canonicalText } from '../../model/hashed-text.ts';
import type { ToolResult } from '../../mcp/question/incoming-call.ts';
import type { Principal } from '../../mcp/tools/principal.ts';
import { rpcCodes, rpcError, RpcFault } from '../frames/frame.ts';
import type { CallFrame } from '../frames/judge-frame.ts';
import { principalKey } from '../identity/visitor.ts';

/** What a call was approved to run. */
export type Approved = Pick<CallFrame['params'], 'name' | 'arguments'>;

/** A call, and for whom it is. */
interface Asker {
  frame: CallFrame;
  principal: Principal;
}

/** A tool that asked its client for more, after its call was approved. */
interface Asked {
  /** The client's call. */
  call: string;
  approved: Approved;
  /** The upstream's own state. */
  state: unknown;
}

/** A call that goes on from a question of the gateway's own, and what its client answered. */
export interface Answered {
  frame: CallFrame;
  responses: unknown;
}

/** More open rounds than this are forgotten, oldest first. */
const mostKept = 10_000;

/**
 * The rounds in which an upstream asks the client during an approved call (2026-07-28). The client gets a state of ours
 * in place of the upstream's. It continues this call once, for the same person with the same tool and arguments, and
 * nothing else does.
 */
export class Rounds {
  readonly #asked = new Map<string, Asked>();
  /** The calls about which the gateway itself asked, by their states. */
  readonly #own = new Map<string, string>();

  /** The result with the gateway’s own state, if the tool asks its client for more. */
  seal({ frame, principal }: Asker, approved: Approved, result: ToolResult): ToolResult {
    if (result['resultType'] !== 'input_required') return result;
    const requestState = randomHex(32);
    const state = result['requestState'];
    keep(this.#asked, requestState, { call: callText(frame.params, principal), approved, state });
    return { ...result, requestState };
  }

  /** A state for a question of the gateway's own, asked before anything was judged. */
  begin({ frame, principal }: Asker): string {
    const requestState = randomHex(32);
    keep(this.#own, requestState, callText(frame.params, principal));
    return requestState;
  }

  /** The call as if nothing had been asked, to be judged like any other, once; null if it has no such state. */
  goOn({ frame, principal }: Asker): Answered | null {
    const { requestState, inputResponses: responses, ...params } = frame.params;
    const state = String(requestState);
    if (this.#own.get(state) !== callText(params, principal)) return null;
    this.#own.delete(state);
    return { frame: { ...frame, params }, responses };
  }

  /**
   * The call to forward without asking anyone, as it was approved and with the upstream's own state; null for a call
   * that continues none. A state that belongs to no approved call is refused.
   */
  resume(frame: CallFrame, principal: Principal): CallFrame | null {
    const { requestState, ...params } = frame.params;
    if (requestState === undefined) return null;
    const question = typeof requestState === 'string' ? this.#asked.get(requestState) : undefined;
    if (question?.call !== callText(params, principal)) throw invalidState();
    this.#asked.delete(String(requestState));
    const state = question.state !== undefined && { requestState: question.state };
    return { ...frame, params: { ...params, ...question.approved, ...state } };
  }
}

function keep<Value>(kept: Map<string, Value>, state: string, value: Value): void {
  kept.set(state, value);
  const [oldest = ''] = kept.keys();
  if (kept.size > mostKept) kept.delete(oldest);
}

const callText = ({ name, arguments: args = {} }: Approved, principal: Principal): string =>
  canonicalText([name, args, principalKey(principal)]);

const invalidState = (): RpcFault =>
  new RpcFault(rpcError(rpcCodes.invalidParams, 'token-invalid', 'Invalid or expired requestState'));
