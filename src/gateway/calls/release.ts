import { sha256 } from '#sdk/client/digest';
import { releasingTool } from '#platform/model/names';
import { emptyForm, type Elicit } from '#sdk/mcp/elicit/elicit';
import type { ToolResult, Delivery } from '#sdk/mcp/question/call';
import { text } from '#sdk/mcp/question/result';
import { isObject, rpcCodes, rpcError, RpcFault } from '../frames/frame.ts';
import { type GatedTool, faultOf, receive, requesterOf, type ReceivedCall, type Serving } from './arguments.ts';
import type { Use } from './passes.ts';
import type { ToolCallState } from '#sdk/client/client';
import { continueCall } from '#sdk/mcp/tools/tasks';
import { runTool } from '#sdk/mcp/tools/own-tools';
import { Problem } from '#platform/model/problem';

/** Result of an upstream's tool, as the policies judge it. */
export interface Returned {
  tool: string;
  arguments: Record<string, unknown>;
  result: ToolResult;
}

const schemaDigest = sha256('assentry/release/v1');
/** Reads only: without a policy that names it, it is allowed. */
const config = { annotations: { readOnlyHint: true } };

/** Use for a pass that frees every result of this requester's calls. */
export const releaseUse = async (requester: Use['requester']): Promise<Use> => ({
  tool: { name: releasingTool, ...config, schemaDigest: await schemaDigest },
  requester,
});

/** Tool by which approvers release the result of a server's tool. It does nothing else. */
const releaseTool = ({ server, reaches }: { server: string; reaches: string }, { tool }: Returned): GatedTool => ({
  name: releasingTool,
  config,
  schemaDigest,
  reaches,
  read: async (args) => args,
  handler: async (_args, context) => {
    const { elicit } = context as { elicit: Elicit };
    const question = `Release the result of ${tool} on ${server}?`;
    const { status, comment } = await elicit(question, emptyForm, { audience: 'approvers' });
    return status === 'accept' ? { content: [], isReleased: true } : refusedResult(status, comment);
  },
});

/** Milliseconds after which another attempt to release the same result counts as dead: it only needs to be recorded. */
const releaseLeaseMs = 10_000;

const isReleased = (answer: ToolResult): boolean => answer['isReleased'] === true;

/** True if people refused the release, so that there is nothing to come back for. */
export const isRefused = ({ _meta: meta }: ToolResult): boolean => isObject(meta) && refusals.includes(meta['code']);

const refusals: unknown[] = ['declined', 'cancelled'];

function refusedResult(status: 'decline' | 'cancel', comment: string | undefined): ToolResult {
  const [reason, code] =
    status === 'decline'
      ? ['people refused to release its result', 'declined']
      : ['the request to release its result was withdrawn', 'cancelled'];
  const sentence = `Do not repeat this call to get its result: it has run, and ${reason}.`;
  const lines = comment === undefined ? [] : [`Reason: ${comment}`];
  return { content: text(sentence, ...lines), isError: true, _meta: { code } };
}

/** Error for a client whose result is not released yet. It says how to get the result, also by the same call if `isKept`. */
function heldFault(answer: ToolResult, { isKept }: { isKept: boolean }): RpcFault {
  const { _meta: meta } = answer;
  const pending = isObject(meta) && meta['elicitationPending'];
  if (!isObject(pending)) return faultOf(answer);
  const byId = `call awaitElicitationResult with elicitId ${String(pending['elicitId'])}`;
  const ways = isKept ? `Make the same call again within the hour, or ${byId},` : `C${byId.slice(1)}`;
  const instructions = `${ways} to get the result: the call has run, and an approver must release its result.`;
  const data = { code: 'not-now', elicitationPending: { ...pending, instructions } };
  return new RpcFault({ code: rpcCodes.internal, message: instructions, data });
}

const taskFault = (): RpcFault =>
  new RpcFault(
    rpcError(
      rpcCodes.internal,
      'forbidden',
      'Make this call without a task: an approver may have to release its result, and the result of a task cannot be held.',
    ),
  );

/** An upstream's result inside one of ours, so that no upstream can forge one of ours. */
export const enclose = (returned: Returned): ToolResult => ({ content: [], returned });

/** The enclosed result; null for a result of the gateway itself. */
const enclosedIn = ({ returned }: ToolResult): Returned | null =>
  isObject(returned) ? (returned as unknown as Returned) : null;

/** True if the stored call is a result that waits for its release. */
export const isHeldResult = ({ tool }: ToolCallState): boolean => tool === releasingTool;

/**
 * Lets the result of one call go to its client. If a policy names the result, approvers release it first; until then Assentry
 * keeps it, sealed, and returns it to the same call.
 */
export class Release {
  /** Delivery of the call itself, which ends only when its result is released or refused. */
  readonly delivery: Delivery | undefined;
  /** Use for a pass that frees every result of this call. */
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

  /** Refuses a task unless every result is free, because its result is fetched past this call. */
  async refuseTask(): Promise<void> {
    if (!(await this.#isFree())) throw taskFault();
  }

  /**
   * The result of this call for its client. Rejects with the error to answer if people refuse the result or have not released
   * it yet; then the request for its release returns it, and the same call does as well if `isKept`.
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

  /** Opens the result held by a request for its release, once it is released. Runs nothing. */
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

/** True if the client is asked for more, so that it is no final result. */
export const isQuestion = ({ resultType }: ToolResult): boolean => resultType === 'input_required';

/** True if the result is fetched elsewhere, by a task of either revision. */
const isTask = ({ resultType, task }: ToolResult): boolean => resultType === 'task' || isObject(task);

/** Error for a name under which another server runs than was accepted. */
export const otherServer = (server: string): Problem =>
  new Problem('forbidden', {
    detail: `Ask an approver to accept what ${server} runs now: it is something else than before. Nothing was run.`,
  });
