import type { AssentryClient } from '../../client/client.ts';
import type { Elicit } from '../../mcp/elicit/request/elicit.ts';
import type { ElicitOptions } from '../../mcp/question/question/elicit-options.ts';
import type { IncomingCall } from '../../mcp/question/call/incoming-call.ts';
import { readSettings, type CommonOptions } from '../../mcp/tools/own-tools/options.ts';
import type { Asks } from '../../mcp/question/question/question.ts';
import { requireAskable } from '../../mcp/question/call/require-askable.ts';
import { runCall } from '../../mcp/tools/own-tools/run-call.ts';

/** The call that the tool's code is in. */
export interface AloneOptions extends Pick<CommonOptions, 'hooks' | 'ttl'> {
  /** With `annotations: { destructiveHint: true }` its questions are for approvers. */
  tool?: Partial<IncomingCall['tool']>;
  args?: Record<string, unknown>;
  /** Who calls. */
  requester?: string;
}

/** An `elicit()` without MCP around it: each question is a call of its own, numbered as if they were one. */
export function elicitAlone(client: AssentryClient, options: AloneOptions): Elicit {
  const settings = readSettings(options);
  let steps = 0;
  const elicit = async (message: string, asks: Asks, askOptions: ElicitOptions = {}) => {
    requireAskable(message, asks, askOptions);
    const key = askOptions.key ?? String(steps++);
    let answer: Promise<unknown> = Promise.resolve();
    await runCall(callOf(options), client, settings, async (ask) => {
      answer = (ask as AskAnything)(message, asks, { ...askOptions, key });
      await answer.catch(() => {}); // the rejection is reported to the caller that awaits it below
      return { content: [] };
    });
    return answer;
  };
  return elicit as Elicit; // as for the real one, the overloads tie the form's type to the content's
}

type AskAnything = (message: string, asks: Asks, options: ElicitOptions) => Promise<unknown>;

const callOf = ({ tool, args = {}, requester = 'requester' }: AloneOptions): IncomingCall => ({
  tool: { name: 'tool', ...tool },
  args,
  session: crypto.randomUUID(),
  requester: { subject: requester, verified: true },
  capabilities: { elicitation: { form: {}, url: {} } },
  signal: new AbortController().signal,
  sendProgress: undefined,
  hasOutputSchema: false,
  ask: async () => ({ kind: 'unsupported', reason: 'There is no client.' }),
});
