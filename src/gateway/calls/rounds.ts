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

/** More open rounds than this are forgotten, oldest first. */
const mostKept = 10_000;

/**
 * The rounds in which an upstream asks the client during an approved call (2026-07-28). The client gets a state of ours
 * in place of the upstream's. It continues this call once, for the same person with the same tool and arguments, and
 * nothing else does.
 */
export class Rounds {
  readonly #asked = new Map<string, Asked>();

  /** The result with the gateway’s own state, if the tool asks its client for more. */
  seal({ frame, principal }: Asker, approved: Approved, result: ToolResult): ToolResult {
    if (result['resultType'] !== 'input_required') return result;
    const requestState = randomHex(32);
    this.#asked.set(requestState, { call: callText(frame.params, principal), approved, state: result['requestState'] });
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > mostKept && oldest !== undefined) this.#asked.delete(oldest);
    return { ...result, requestState };
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

const callText = ({ name, arguments: args = {} }: Approved, principal: Principal): string =>
  canonicalText([name, args, principalKey(principal)]);

const invalidState = (): RpcFault =>
  new RpcFault(rpcError(rpcCodes.invalidParams, 'token-invalid', 'Invalid or expired requestState'));
