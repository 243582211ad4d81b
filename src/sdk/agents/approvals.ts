import { pause, assertNames, clientOptions, withDeadline } from '../client/transport.ts';
import { claimOnce } from '../client/claims.ts';
import {
  createClient,
  runDigest,
  type AssentryClient,
  type ClientOptions,
  type ElicitationState,
  type OpenedElicitation,
  type OpenElicitation,
} from '../client/client.ts';
import { sha256, randomHex } from '../client/digest.ts';
import { emptyForm, refusals } from '../mcp/elicit/elicit.ts';
import { makeOnce, requireStep, type Once, plainArguments } from '../mcp/question/call.ts';
import { canonicalText } from '#platform/model/hashed-text';
import { isClosed } from '#requests/asking/contract/elicitation';
import { Problem } from '#platform/model/problem';
import type { z } from 'zod';

export interface ApprovalsOptions extends ClientOptions {
  /** Instead of address and key. */
  client?: AssentryClient | undefined;
  /** Person for whom the agent works. `verified` only if you have checked who they are. */
  requester: OpenElicitation['requester'];
  /** The conversation: the ids of calls are unique in it, also after a restart. */
  session: string;
  /** Milliseconds until a request expires; the policy's time by default. */
  ttl?: number | undefined;
  /** Milliseconds after which a run that never reported its end counts as dead; 600 000 by default. */
  leaseMs?: number | undefined;
}

/** Asks approvers about the calls of an agent, and runs what they approved. */
export interface Approvals {
  /** Asks, or joins an earlier request for this call, in this process or in another. */
  ask(call: AgentCall): Promise<OpenedElicitation>;
  /** False only for a call that a policy allows at once; the same for each later look at the call. */
  needsDecision(call: AgentCall): Promise<boolean>;
  /** Asks, and resolves when it is decided. */
  decide(call: AgentCall, signal?: AbortSignal): Promise<ElicitationState>;
  /** Resolves when the request of this id is decided. */
  waitFor(id: string, signal?: AbortSignal): Promise<ElicitationState>;
  /**
   * Runs the call with the arguments that people approved, once: of all runs of this call one executes, and the others
   * get its result. `once` keeps with the call what a step made. Waits until it is decided; rejects with CallRefusedError if it is not approved.
   */
  run<Input, Output>(
    call: AgentCall<Input>,
    execute: (input: Input, context: { once: Once }) => Promise<Output> | Output,
    signal?: AbortSignal,
  ): Promise<Output>;
}

/** End of a run, kept for another run of the same call. */
type Ending = { returned: unknown } | { threw: string };

/** Milliseconds between two looks at a run in another process. */
const pollIntervalMs = 1_000;
/** Milliseconds the agent waits for the record of the end. */
const recordTime = 10_000;

/** Throws `config-invalid` if address or key are missing, or if there is no such option. */
export function createApprovals(options: ApprovalsOptions): Approvals {
  const { client: own, requester, session, ttl, leaseMs = 600_000, ...connecting } = options;
  const names = ['client', 'requester', 'session', 'ttl', 'leaseMs', ...clientOptions];
  assertNames('createApprovals', options, names);
  const client = own ?? createClient(connecting);
  const ask = async (call: AgentCall, signal?: AbortSignal): Promise<OpenedElicitation> =>
    client.open(await requestOf({ requester, session, ttl }, call), { signal });
  const waitFor = (id: string, signal?: AbortSignal): Promise<ElicitationState> =>
    client.waitForOutcome(id, { signal });
  const decide = async (call: AgentCall, signal?: AbortSignal): Promise<ElicitationState> => {
    const state = await ask(call, signal);
    return isClosed(state.status) ? state : waitFor(state.id, signal);
  };
  return {
    ask: (call) => ask(call),
    async needsDecision(call) {
      const { status, joined } = await ask(call);
      return joined || status !== 'accepted';
    },
    decide,
    waitFor,
    async run<Input, Output>(
      call: AgentCall<Input>,
      execute: (input: Input, context: { once: Once }) => Promise<Output> | Output,
      signal?: AbortSignal,
    ) {
      if (typeof execute !== 'function') throw new Problem('INVALID_INPUT', { detail: noFunction });
      const state = await decide(call, signal);
      const refusal = refusalOf(state);
      if (refusal) throw refusal;
      const input = await approvedInput(call, state.arguments);
      const run = await runDigest({ ...describeCall({ ...call, input }), requester });
      const attempt = randomHex();
      const earlier = await takeExecution(client, state.toolCall, { attempt, run, leaseMs }, signal);
      if (earlier) return replay(earlier) as Output;
      return record(client, { toolCall: state.toolCall, attempt }, async () =>
        execute(input, { once: onceOf(client, state.toolCall) }),
      );
    },
  };
}

async function requestOf(
  { requester, session, ttl }: Pick<ApprovalsOptions, 'requester' | 'session' | 'ttl'>,
  call: AgentCall,
): Promise<OpenElicitation> {
  requireCall(session, call);
  const facts = { ...describeCall(call), requester };
  const takesEdits = (await readSeen(call.tool, facts.arguments)) !== undefined;
  return {
    ...facts,
    message: `Run ${call.tool.name}?`,
    schema: emptyForm,
    audience: 'approvers',
    session,
    call: await sha256(canonicalText(['assentry/agents/v1', session, call.id, await runDigest(facts)])),
    takesEdits,
    ...(ttl !== undefined && { ttl }),
  };
}

/** Requires ids for code without types: two calls without an id would count as one, and only the first would run. */
function requireCall(session: unknown, { id, tool }: Partial<AgentCall>): void {
  if (!isName(session)) throw unnamed('session', 'the id of the conversation');
  if (!isName(id)) throw unnamed('id', 'the id of the call, unique in its session');
  if (typeof tool?.schema?.safeParseAsync === 'function') return;
  throw new Problem('INVALID_INPUT', {
    detail: 'Give the tool with its zod schema (tool.schema).',
    errors: [{ path: ['tool', 'schema'], message: 'Give a zod schema.' }],
  });
}

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';

const unnamed = (member: string, what: string): Problem =>
  new Problem('INVALID_INPUT', {
    detail: `Give ${what} (${member}).`,
    errors: [{ path: [member], message: 'Give a text that is not empty.' }],
  });

const noFunction = 'Give the function that runs the call, after the call. Nothing was run.';

const onceOf = (client: AssentryClient, toolCall: string): Once => {
  const once = async (key: string, make: Parameters<Once>[1]): Promise<unknown> => {
    requireStep(key, make);
    return makeOnce(client, { toolCall }, { key, make }, async (memo) => void (await client.keepMemo(toolCall, memo)));
  };
  return once as Once; // the kept value was made in the type that `make` gives it
};

/** Null if this attempt is the one that runs; otherwise the ending of the other one. */
async function takeExecution(
  client: AssentryClient,
  toolCall: string,
  claim: Parameters<AssentryClient['claim']>[1],
  signal: AbortSignal | undefined,
): Promise<Ending | null> {
  for (;;) {
    const claimState = await claimOnce(client, toolCall, claim, { signal });
    if (claimState.state === 'claimed') return null;
    if (claimState.state === 'completed') return readEnding(claimState.result);
    await pause(pollIntervalMs, signal);
  }
}

/** Runs it, and records its ending. */
async function record<Output>(
  client: AssentryClient,
  { toolCall, attempt }: { toolCall: string; attempt: string },
  execute: () => Promise<Output>,
): Promise<Output> {
  const send = (result: Ending): Promise<void> =>
    withDeadline(recordTime, undefined, (signal) =>
      client.complete(toolCall, { attempt, delivered: false, result }, { signal }),
    );
  const keep = (result: Ending): Promise<void> =>
    send(result)
      .catch((error) => (isTooLarge(error) ? send({ threw: tooLarge }) : undefined))
      .catch(() => {}); // without a record the call counts as running, and does not run again
  try {
    const returned = await execute();
    await keep({ returned: returned ?? null });
    return returned;
  } catch (error) {
    await keep({ threw: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}

const isTooLarge = (error: unknown): boolean => error instanceof Problem && error.code === 'body-too-large';
const tooLarge = 'The tool has run, but its result was too large to keep.';

function readEnding(result: unknown): Ending {
  const isEnding = typeof result === 'object' && result !== null && ('returned' in result || 'threw' in result);
  if (isEnding) return result as Ending;
  throw new Problem('outcome-unknown');
}

function replay(ending: Ending): unknown {
  if ('returned' in ending) return ending.returned;
  throw new Error(ending.threw); // the tool's own error, of which only the message was kept
}

/** A tool of an agent, with the zod schema of its arguments. */
export interface AgentTool<Schema extends z.ZodObject = z.ZodObject> {
  name: string;
  description: string;
  schema: Schema;
  /** Hints as in MCP, by which policies judge the tool. */
  annotations?: OpenElicitation['tool']['annotations'];
}

/** One call of a tool, as the agent's library names it. */
export interface AgentCall<Input = unknown> {
  /** Unique in the session. */
  id: string;
  tool: AgentTool;
  input: Input;
}

/** The call for people. Arguments that JSON cannot show are refused. */
const describeCall = ({ tool: { name, description, annotations }, input }: AgentCall) => ({
  tool: { name, description, ...(annotations && { annotations }) },
  arguments: plainArguments(input),
});

/** The approved arguments for the tool; undefined if its schema would change them. */
export async function readSeen<Input>(
  { schema }: AgentTool,
  args: Record<string, unknown>,
): Promise<Input | undefined> {
  const { data } = await schema.safeParseAsync(args);
  return data !== undefined && canonicalText(plainArguments(data)) === canonicalText(args)
    ? (data as Input)
    : undefined;
}

/** Input of the run: the tool's own, or the one that people edited. */
async function approvedInput<Input>(
  call: AgentCall<Input>,
  edited: Record<string, unknown> | undefined,
): Promise<Input> {
  if (edited === undefined) return call.input;
  const input = await readSeen<Input>(call.tool, edited);
  if (input !== undefined) return input;
  throw new Problem('INVALID_INPUT', {
    detail: 'Ask again: approvers edited the arguments, and this tool does not accept them. Nothing was run.',
  });
}

const endings = {
  ...refusals,
  expired: {
    sentence: 'No one answered in time; nothing was run.',
    advice: 'Tell the person you work for; the same call would ask again.',
  },
};

/** People or a policy did not approve the call, and it did not run. The message is for the model. */
export class CallRefusedError extends Problem {
  override readonly name = 'CallRefusedError';
  readonly status: keyof typeof endings;

  constructor(status: keyof typeof endings, comment: string | null) {
    const { sentence, advice } = endings[status];
    const reason = comment === null ? '' : ` Reason: ${comment}`;
    super('forbidden', { detail: `${sentence}${reason} ${advice}` });
    this.status = status;
  }
}

/** The error for a closed request; null if it was accepted. */
export const refusalOf = ({ status, comment }: ElicitationState): CallRefusedError | null =>
  status === 'accepted' || status === 'open' ? null : new CallRefusedError(status, comment);
