import { sha256 } from '../../client/digest.ts';
import { releasingTool } from '../../model/names.ts';
import { refuseUnapproved } from '../../mcp/elicit/approve.ts';
import type { Elicit } from '../../mcp/elicit/elicit.ts';
import type { Delivery } from '../../mcp/question/delivery.ts';
import type { ToolResult } from '../../mcp/question/incoming-call.ts';
import { runTool } from '../../mcp/tools/own-tool.ts';
import { isObject, rpcCodes, RpcFault } from '../frames/frame.ts';
import type { GatedTool } from './gated-tool.ts';
import { faultOf, receive, requesterOf, type ReceivedCall, type Serving } from './received.ts';

/** What a tool of the upstream has returned, as the policies judge it. */
export interface Returned {
  tool: string;
  arguments: Record<string, unknown>;
  result: ToolResult;
}

/** The result of an upstream within one of ours, so that no upstream can make one that passes for ours. */
export const enclose = (returned: Returned): ToolResult => ({ content: [], returned });

/** What was enclosed; null for a result of the gateway itself. */
const enclosedIn = ({ returned }: ToolResult): Returned | null =>
  isObject(returned) ? (returned as unknown as Returned) : null;

/**
 * Lets the result of one call go to its client. A policy that names it has approvers release it first; until then it is
 * kept, sealed, by Assentry, and the same call comes back to it.
 */
export class Release {
  /** Of the call itself: it is over only when its result was released or refused. */
  readonly delivery: Delivery | undefined;
  readonly #serving: Serving;
  readonly #call: ReceivedCall;
  #settle: (isOver: boolean) => void = () => {};

  constructor(serving: Serving, call: ReceivedCall) {
    this.#serving = serving;
    this.#call = call;
    const isOver = new Promise<boolean>((resolve) => (this.#settle = resolve));
    const { delivery } = call;
    this.delivery = delivery && {
      isHeard: () => delivery.isHeard(),
      isTaken: delivery.isTaken.then(async (isTaken) => isTaken && isOver),
    };
  }

  /** The result of this call for its client. Rejects with the error to answer if people refuse it, or have not decided in time. */
  async open(work: Promise<ToolResult>): Promise<ToolResult> {
    const answer = await work.catch((error: unknown) => this.#end(true, error));
    const returned = enclosedIn(answer);
    const refusal = returned && (await this.#refusalOf(returned).catch((error: unknown) => this.#end(false, error)));
    if (refusal && isPending(refusal)) return this.#end(false, pendingFault(refusal));
    if (refusal) return this.#end(true, faultOf(refusal));
    this.#settle(true);
    return returned?.result ?? answer;
  }

  #end(isOver: boolean, error: unknown): never {
    this.#settle(isOver);
    throw error;
  }

  async #refusalOf(returned: Returned): Promise<ToolResult | null> {
    const { passes, server } = this.#serving;
    const { name, config } = releasing;
    const use = {
      tool: { name, ...config, schemaDigest: await schemaDigest },
      requester: requesterOf(this.#call),
    };
    const pass = await passes.find(use);
    if (pass?.isGood) return null;
    const question = `Release the result of ${returned.tool} on ${server}?`;
    const received = await receive(this.#serving, this.#call, releasing, { ...returned });
    const answer = await runTool(this.#serving, { ...releasing, handler: askedBy(question) }, received, {});
    return answer['isReleased'] === true ? null : answer;
  }
}

const schemaDigest = sha256('assentry/release/v1');

const askedBy =
  (question: string): GatedTool['handler'] =>
  async (_args, context) => {
    const { elicit } = context as { elicit: Elicit };
    return (await refuseUnapproved(elicit, question, { audience: 'approvers' })) ?? { content: [], isReleased: true };
  };

/** It only reads: without a policy that names it, it is allowed. */
const releasing = {
  name: releasingTool,
  config: { annotations: { readOnlyHint: true } },
  schemaDigest,
  read: async (args: Record<string, unknown>) => args,
  handler: askedBy(''),
} satisfies GatedTool;

const isPending = ({ _meta: meta }: ToolResult): boolean => isObject(meta) && meta['elicitationPending'] !== undefined;

const pendingFault = ({ _meta: meta }: ToolResult): RpcFault =>
  new RpcFault({
    code: rpcCodes.internal,
    message: 'Make the same call again to get its result: it has run, and an approver must release the result.',
    data: { code: 'not-now', ...(isObject(meta) && meta) },
  });
