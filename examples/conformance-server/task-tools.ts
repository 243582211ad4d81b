import { z } from 'zod';
import type { AssentryTools } from '../../src/sdk/mcp/assentry-v2.ts';
import { say } from './say.ts';

const Confirmation = z.object({ confirm: z.boolean() });
const Name = z.object({ name: z.string() });
const User = z.object({ name: z.string(), confirm: z.boolean() });

/** Tasks whose questions are Assentry's: stored, and continued by the process that serves the task. */
export function registerTaskTools(tools: AssentryTools): void {
  tools.registerTool(
    'confirm_delete',
    {
      description: 'Deletes a file once the person at the client confirms.',
      inputSchema: z.object({ filename: z.string() }),
      prefersTask: true,
    },
    async ({ filename }, { elicit }) => {
      const { content } = await elicit(`Delete ${filename}?`, Confirmation, { key: 'confirm' });
      return say(content?.confirm ? `${filename} is deleted.` : `${filename} stays.`);
    },
  );
  tools.registerTool(
    'multi_input',
    { description: 'Asks for two things at once.', prefersTask: true },
    async ({ elicit }) => {
      const [first, last] = await Promise.all([
        elicit('Who begins?', User, { key: 'first' }),
        elicit('Who ends?', User, { key: 'last' }),
      ]);
      return say(`From ${first.content?.name} to ${last.content?.name}.`);
    },
  );
  tools.registerTool(
    'test_tool_with_task',
    { description: 'Asks for a name, then greets in a task.' },
    async ({ elicit }) => {
      const { content } = await elicit('What is your name?', Name, { key: 'user_name' });
      return say(`Hello from the task, ${content?.name}!`);
    },
  );
}
