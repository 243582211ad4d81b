// The extension `io.modelcontextprotocol/tasks`, for which `@modelcontextprotocol/server` has no server side.
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ToolCallState } from '../../../client/client.ts';
import { Problem } from '#platform/model/problem';
import { supportsElicitation, type ElicitationCapabilities } from '../../question/call/capabilities.ts';
import type { IncomingCall, Task } from '../../question/call/incoming-call.ts';
import { giveUp, resumeCall } from '../../tools/tasks/continue-call.ts';
import { belongsToCaller, singleCallSession } from '../../tools/principal/own-call.ts';
import { describeTool, runTool } from '../../tools/own-tools/own-tool.ts';
import { inputRequestOf, lacksElicitation } from './asking.ts';
import { capabilitiesOf, hasRounds, principalOf, type Adapter, type SdkTool } from './call.ts';
import { tokenToSend } from '../../tools/principal/principal.ts';
import { taskTimes, type TaskView } from '../../tools/tasks/task-view.ts';
import { answerTask, cancelTask, readTask, type TaskServing } from '../../tools/tasks/tasks.ts';

const extension = 'io.modelcontextprotocol/tasks';
const TaskParams = z.looseObject({ taskId: z.string() });
const TaskAnswers = TaskParams.extend({ inputResponses: z.record(z.string(), z.unknown()).optional() });
const complete = { resultType: 'complete' as const };

/** Any process that serves a task's request can continue it: the stored call holds everything needed. */
export function serveTasks(adapter: Adapter): void {
  const { server } = adapter.mcp;
  server.registerCapabilities({ extensions: { [extension]: {} } });
  server.setRequestHandler('tasks/get', { params: TaskParams }, async ({ taskId }, context) => {
    const call = await findTask(adapter, taskId, context);
    return showTask(await readTask(serving(adapter, context), call), capabilitiesOf(adapter.mcp, context));
  });
  server.setRequestHandler('tasks/update', { params: TaskAnswers }, async ({ taskId, inputResponses }, context) => {
    const call = await findTask(adapter, taskId, context);
    const answers = { ...inputResponses, ...context.mcpReq.inputResponses };
    await answerTask(serving(adapter, context), call, answers);
    return complete;
  });
  server.setRequestHandler('tasks/cancel', { params: TaskParams }, async ({ taskId }, context) => {
    await cancelTask(serving(adapter, context), await findTask(adapter, taskId, context));
    return complete;
  });
}

/** The task this call may become; undefined if this request does not declare tasks. */
export function offerTask(adapter: Adapter, tool: string, context: ServerContext): Task | undefined {
  if (!takesTasks(adapter, context)) return undefined;
  return {
    isBackground: false,
    holdsQuestions: adapter.tools.get(tool)?.config.prefersTask === true,
    handOut: ({ toolCall, openedAt }) => {
      const call = adapter.calls.get(context);
      const times = taskTimes(toolCall, openedAt, openedAt);
      if (call) call.handedOut = { resultType: 'task', status: 'working', ...times };
      return { content: [], isError: true };
    },
  };
}

const takesTasks = ({ mcp }: Adapter, context: ServerContext): boolean =>
  hasRounds(mcp) && capabilitiesOf(mcp, context)?.extensions?.[extension] !== undefined;

/** Someone else's task counts as unknown. */
async function findTask(adapter: Adapter, taskId: string, context: ServerContext): Promise<ToolCallState> {
  if (!takesTasks(adapter, context)) {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [extension]: {} } } });
  }
  const call = await adapter.client.getToolCall(taskId, { signal: context.mcpReq.signal }).catch(asUnknown);
  const caller = { ...principalOf(adapter, context), session: singleCallSession() };
  if (call && belongsToCaller(call, caller) && adapter.tools.has(call.tool)) return call;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown task');
}

function asUnknown(error: unknown): null {
  if (error instanceof Problem && (error.code === 'not-found' || error.code === 'INVALID_INPUT')) return null;
  throw error;
}

/** No client gets a question in a mode that it did not declare in this request. */
function showTask(task: TaskView, capabilities: ElicitationCapabilities | undefined) {
  if (task.status !== 'input_required') return { ...complete, ...task };
  const { questions, ...rest } = task;
  const lacking = [...questions.values()].find(({ mode }) => !supportsElicitation(capabilities, mode));
  if (lacking) throw lacksElicitation(lacking.mode);
  const entries = [...questions].map(([step, question]) => [step, inputRequestOf(question)] as const);
  return { ...complete, ...rest, inputRequests: Object.fromEntries(entries) };
}

const serving = (adapter: Adapter, context: ServerContext): TaskServing => ({
  client: adapter.client,
  leaseMs: adapter.settings.leaseMs,
  takesForms: supportsElicitation(capabilitiesOf(adapter.mcp, context), 'form'),
  run: (call, signal) => runInBackground(adapter, context, call, signal),
});

async function runInBackground(
  adapter: Adapter,
  context: ServerContext,
  stored: ToolCallState,
  signal: AbortSignal,
): Promise<void> {
  const tool = adapter.tools.get(stored.tool);
  if (!tool) return;
  // The client of this request does not wait: nothing is sent on its stream.
  const mcpReq = { ...context.mcpReq, signal, notify: async () => {}, log: async () => {} };
  const received = { ...(await taskCall(tool, stored, signal)), ...tokenToSend(adapter, context.http?.authInfo) };
  const call = await resumeCall(tool, stored, received);
  if (call) await runTool(adapter, tool, call, { ...context, mcpReq });
  else await giveUp(adapter.client, stored, received); // the task is the stored call, and no other one
}

async function taskCall(tool: SdkTool, stored: ToolCallState, signal: AbortSignal): Promise<IncomingCall> {
  return {
    tool: await describeTool(tool),
    args: stored.arguments,
    session: stored.session,
    requester: stored.requester,
    // The client that fetches the task asks its person.
    capabilities: { elicitation: { form: {}, url: {} } },
    signal,
    sendProgress: undefined,
    hasOutputSchema: tool.config.outputSchema !== undefined,
    task: { isBackground: true, holdsQuestions: true, handOut: () => ({ content: [] }) },
    ask: async () => ({ kind: 'unsupported', reason: 'The client left the call to a task.' }),
  };
}
