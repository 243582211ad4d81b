import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { Usage, type Model, type ModelRequest } from '@openai/agents-core';
import type { LanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

/** What a model is asked to call, once. After that it repeats what the tool said. */
export interface AskedCall {
  id: string;
  input: Record<string, unknown>;
}

const name = 'transfer_funds';

/** A model of the OpenAI Agents SDK. */
export const openAiModel = ({ id, input }: AskedCall): Model => ({
  getResponse: ({ input: items }: ModelRequest) => {
    const result = typeof items === 'string' ? undefined : items.find(({ type }) => type === 'function_call_result');
    const call = { type: 'function_call' as const, callId: id, name, arguments: JSON.stringify(input) };
    const output = result ? [sayingOpenAi(JSON.stringify(result))] : [call];
    return Promise.resolve({ usage: new Usage(), output });
  },
  getStreamedResponse: () => {
    throw new TypeError('These tests do not stream.');
  },
});

const sayingOpenAi = (text: string) => ({
  type: 'message' as const,
  role: 'assistant' as const,
  status: 'completed' as const,
  content: [{ type: 'output_text' as const, text }],
});

/** A model of LangGraph.js. */
export const langGraphModel =
  ({ id, input }: AskedCall) =>
  (messages: BaseMessage[]): Promise<BaseMessage> => {
    const result = messages.find((message) => message.getType() === 'tool');
    const call = { id, name, args: input, type: 'tool_call' as const };
    return Promise.resolve(new AIMessage(result ? result.text : { content: '', tool_calls: [call] }));
  };

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model of the AI SDK. */
export const aiSdkModel = ({ id, input }: AskedCall): LanguageModel =>
  new MockLanguageModelV3({
    doGenerate: ({ prompt }) => {
      const results = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
      const result = results.find(({ type }) => type === 'tool-result');
      const call = { type: 'tool-call' as const, toolCallId: id, toolName: name, input: JSON.stringify(input) };
      return Promise.resolve({
        content: [result ? { type: 'text' as const, text: JSON.stringify(result) } : call],
        finishReason: { unified: result ? ('stop' as const) : ('tool-calls' as const), raw: undefined },
        usage,
        warnings: [],
      });
    },
  });
