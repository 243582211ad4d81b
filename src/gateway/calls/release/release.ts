import type { ToolCallState } from '#sdk/client/client';
import { releasingTool } from '#platform/model/names';
import type { Delivery } from '#sdk/mcp/question/call/delivery';
import type { ToolResult } from '#sdk/mcp/question/call/incoming-call';
import { continueCall } from '#sdk/mcp/tools/tasks/continue-call';
import { runTool } from '#sdk/mcp/tools/own-tools/own-tool';
import { isObject } from '../../frames/frame/frame.ts';
import type { Use } from '../passes.ts';
import { receive, requesterOf, type ReceivedCall, type Serving } from '../arguments/received.ts';
import {
  heldFault,
  isRefused,
  isReleased,
  releaseLeaseMs,
  releaseTool,
  releaseUse,
  taskFault,
  type Returned,
} from './release-tool.ts';

/** The result of an upstream within one of ours, so that no upstream can make one that passes for ours. */
export const enclose = (returned: Returned): ToolResult => ({ content: [], returned });

/** What was enclosed; null for a result of the gateway itself. */
const enclosedIn = ({ returned }: ToolResult): Returned | null =>
  isObject(returned) ? (returned as unknown as Returned) : null;

/** This stored call is a result that waits for its release. */
export const isHeldResult = ({ tool }: ToolCallState): boolean => tool === releasingTool;

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
    this.#serving = { ...serving, settings: { ...serving.settings, leaseMs: releaseLeaseMs } };
    this.#call = call;
    this.use = releaseUse(requesterOf(call));
    const isOver = new Promise<boolean>((resolve) => (this.#settle = resolve));
    const { delivery } = call;
    this.delivery = delivery && {
      isConnected: () => delivery.isConnected(),
      isTaken: delivery.isTaken.then(async (isTaken) => isTaken && isOver),
    };
  }

  /** A task's result is fetched past this call, so none is begun unless every result is free. */
  async refuseTask(): Promise<void> {
    if (!(await this.#isFree())) throw taskFault();
  }

  /**
   * The result of this call for its client. Rejects with the error to answer if people refuse it, or have not released
   * it yet: then the request for its release brings it, and the same call as well if `isKept`.
   */
  async open(work: Promise<ToolResult>, { isKept }: { isKept: boolean }): Promise<ToolResult> {
    const answer = await work.catch((error: unknown) => this.#end(true, error));
    const returned = enclosedIn(answer);
    const isHeld = returned && !isReleased(answer);
    const refusal = isHeld && (await this.#refusalOf(returned).catch((error: unknown) => this.#end(false, error)));
    if (refusal) return this.#end(isRefused(refusal), heldFault(refusal, { isKept }));
    this.#settle(true);
    return returned?.result ?? answer;
  }

  /** What a request for a release holds, for `open`, when it is released. Nothing runs for it. */
  async continue(stored: ToolCallState): Promise<ToolResult> {
    const returned = stored.arguments as unknown as Returned;
    const tool = releaseTool(this.#serving, returned);
    const received = await receive(this.#serving, this.#call, tool, stored.arguments);
    const answer = await continueCall(this.#serving, tool, stored, received, {});
    if (!isReleased(answer)) throw heldFault(answer, { isKept: false });
    return { ...enclose(returned), isReleased: true };
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
    const tool = releaseTool(this.#serving, returned);
    const received = await receive(this.#serving, this.#call, tool, { ...returned });
    const answer = await runTool(this.#serving, tool, received, {});
    return isReleased(answer) ? null : answer;
  }
}

/** The client is asked for more: it is not a result yet. */
export const isQuestion = ({ resultType }: ToolResult): boolean => resultType === 'input_required';

/** The result is fetched elsewhere, of tasks of either revision. */
const isTask = ({ resultType, task }: ToolResult): boolean => resultType === 'task' || isObject(task);
