import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Command, END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { z } from 'zod';
import { langGraphApprovals, type Approvals } from '../../src/sdk/agents/assentry-agents.ts'; // in your project: 'assentry/agents'

const transferFunds = {
  name: 'transfer_funds',
  description: 'Transfers money.',
  schema: z.object({ amount: z.number(), to: z.string() }),
};

/** A graph of LangGraph.js that transfers money, once people have approved it. */
export async function transferWithLangGraph(
  approvals: Approvals,
  model: (messages: BaseMessage[]) => Promise<BaseMessage>,
  transfer: (amount: number, to: string) => Promise<string>,
): Promise<unknown> {
  const { guard, settle } = langGraphApprovals(approvals, interrupt);
  const approved = guard(transferFunds, ({ amount, to }) => transfer(amount, to));
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await model(messages)] }))
    .addNode('tools', new ToolNode([tool(approved, transferFunds)]))
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) => (isDone(messages) ? END : 'tools'))
    .addEdge('tools', 'model')
    .compile({ checkpointer: new MemorySaver() });
  const thread = { configurable: { thread_id: 'rent' } };
  let result = await graph.invoke({ messages: [new HumanMessage('Pay the rent.')] }, thread);
  while (graph.isInterrupted(result)) {
    const resume = await settle(result.__interrupt__); // or later, in another process
    result = await graph.invoke(new Command({ resume }), thread);
  }
  return result.messages.at(-1)?.content;
}

const isDone = (messages: BaseMessage[]): boolean => {
  const calls = (messages.at(-1) as { tool_calls?: unknown[] }).tool_calls ?? [];
  return calls.length === 0;
};
