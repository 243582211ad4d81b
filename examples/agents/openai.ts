import { Agent, run, tool, type Model } from '@openai/agents-core'; // or '@openai/agents'
import { z } from 'zod';
import { openAiApprovals, type Approvals } from '../../src/sdk/agents/assentry-agents.ts'; // in your project: 'assentry/agents'

/** An agent of the OpenAI Agents SDK that transfers money, once people have approved it. */
export async function transferWithOpenAi(approvals: Approvals, model: Model, transfer: Transfer): Promise<unknown> {
  const { tool: approved, settle } = openAiApprovals(approvals);
  const transferFunds = approved({
    name: 'transfer_funds',
    description: 'Transfers money.',
    parameters: z.object({ amount: z.number(), to: z.string() }),
    execute: ({ amount, to }) => transfer(amount, to),
  });
  const agent = new Agent({ name: 'Clerk', instructions: 'Pay the bills.', model, tools: [tool(transferFunds)] });
  let result = await run(agent, 'Pay the rent.');
  while (result.interruptions.length > 0) {
    await settle(result.state); // or keep String(result.state), and go on in another process
    result = await run(agent, result.state);
  }
  return result.finalOutput;
}

type Transfer = (amount: number, to: string) => Promise<string>;
