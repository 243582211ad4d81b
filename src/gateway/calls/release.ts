import { sha256 } from '../../client/digest.ts';
import { releasingTool } from '../../model/names.ts';
import { refuseUnapproved } from '../../mcp/elicit/approve.ts';
import type { Elicit } from '../../mcp/elicit/elicit.ts';
import type { Delivery } from '../../mcp/question/delivery.ts';
import type { ToolResult } from '../../mcp/question/incoming-call.ts';
import { runTool } from '../../mcp/tools/own-tool.ts';
import { isObject, rpcCodes, rpcError, RpcFault } from '../frames/frame.ts';
import type { GatedTool } from './gated-tool.ts';
import type { Use } from './passes.ts';
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
  /** With a pass for this, every result of this call is free. */
  readonly use: Promise<Use>;
  readonly #serving: Serving;
  readonly #call: ReceivedCall;
  #settle: (isOver: boolean) => void = () => {};

  constructor(serving: Serving, call: ReceivedCall) {
    this.#serving = serving;
    this.#call = call;
    this.use = useOf(call);
    const isOver = new Promise<boolean>((resolve) => (this.#settle = resolve));
    const { delivery } = call;
    this.delivery = delivery && {
      isHeard: () => delivery.isHeard(),
      isTaken: delivery.isTaken.then(async (isTaken) => isTaken && isOver),
    };
  }

  /** A task's result is fetched past this call, so none is begun unless every result is free. */
  async refuseTask(): Promise<void> {
    if (!(await this.#isFree())) throw taskFault();
  }

  /**
   * The result of this call for its client. Rejects with the error to answer if people refuse it, or have not decided in
   * time: then the same call finds it if `isKept`, and otherwise nothing does.
   */
  async open(work: Promise<ToolResult>, { isKept }: { isKept: boolean }): Promise<ToolResult> {
    const answer = await work.catch((error: unknown) => this.#end(true, error));
    const returned = enclosedIn(answer);
    const refusal = returned && (await this.#refusalOf(returned).catch((error: unknown) => this.#end(false, error)));
    if (refusal && isPending(refusal)) return this.#end(!isKept, isKept ? pendingFault(refusal) : lostFault());
    if (refusal) return this.#end(true, faultOf(refusal));
    this.#settle(true);
    return returned?.result ?? answer;
  }

  #end(isOver: boolean, error: unknown): never {
    this.#settle(isOver);
    throw error;
  }

  async #isFree(): Promise<boolean> {
    return (await this.#serving.passes.find(await this.use)) !== null;
  }

  async #refusalOf(returned: Returned): Promise<ToolResult | null> {
    if (isQuestion(returned.result) || (await this.#isFree())) return null;
    if (isTask(returned.result)) throw taskFault();
    const { server } = this.#serving;
    const question = `Release the result of ${returned.tool} on ${server}?`;
    const received = await receive(this.#serving, this.#call, releasing, { ...returned });
    const answer = await runTool(this.#serving, { ...releasing, handler: askedBy(question) }, received, {});
    return answer['isReleased'] === true ? null : answer;
  }
}

const useOf = async (call: ReceivedCall): Promise<Use> => ({
  tool: { name: releasing.name, ...releasing.config, schemaDigest: await schemaDigest },
  requester: requesterOf(call),
});

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

const isPending = ({ _meta: meta }: ToolResult): boolean => isObject(meta) && isObject(meta['elicitationPending']);

/** The tool asks its client for more: it is not a result yet. */
const isQuestion = ({ resultType }: ToolResult): boolean => resultType === 'input_required';

/** The result is fetched elsewhere, of tasks of either revision. */
const isTask = ({ resultType, task }: ToolResult): boolean => resultType === 'task' || isObject(task);

function pendingFault({ _meta: meta }: ToolResult): RpcFault {
  const pending = { ...(meta as { elicitationPending: object }).elicitationPending, instructions: comeBack };
  const data = { code: 'not-now', elicitationPending: pending };
  return new RpcFault({ code: rpcCodes.internal, message: comeBack, data });
}

const comeBack = 'Make the same call again to get its result: it has run, and an approver must release the result.';

const lostFault = (): RpcFault =>
  new RpcFault(
    rpcError(
      rpcCodes.internal,
      'not-now',
      'Check what the call has done before you make it again: it has run, no approver has released its result in time, and ' +
        'the result is lost.',
    ),
  );

const taskFault = (): RpcFault =>
  new RpcFault(
    rpcError(
      rpcCodes.internal,
      'forbidden',
      'Make this call without a task: an approver may have to release its result, and the result of a task cannot be held.',
    ),
  );
