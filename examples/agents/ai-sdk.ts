import { generateText, stepCountIs, tool, type LanguageModel, type ModelMessage } from 'ai';
import { z } from 'zod';
import { aiSdkApprovals, type Approvals } from '../../src/sdk/agents/assentry-agents.ts'; // in your project: 'assentry/agents'

/** A loop of the AI SDK that transfers money, once people have approved it. */
export async function transferWithAiSdk(
  approvals: Approvals,
  model: LanguageModel,
  transfer: (amount: number, to: string) => Promise<string>,
): Promise<string> {
  const { tool: approved, settle } = aiSdkApprovals(approvals);
  const transferFunds = approved('transfer_funds', {
    description: 'Transfers money.',
    inputSchema: z.object({ amount: z.number(), to: z.string() }),
    execute: ({ amount, to }) => transfer(amount, to),
  });
  const tools = { transfer_funds: tool(transferFunds) };
  const messages: ModelMessage[] = [{ role: 'user', content: 'Pay the rent.' }];
  for (;;) {
    const { content, response, text } = await generateText({ model, tools, messages, stopWhen: stepCountIs(5) });
    const decisions = await settle(content); // or keep the messages, and go on in another process
    if (decisions.content.length === 0) return text;
    messages.push(...response.messages, decisions);
  }
}
