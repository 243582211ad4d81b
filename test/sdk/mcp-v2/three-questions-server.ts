import { appendFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { serveBothEras } from '../../../examples/serve-both-eras.ts';
import { assentry, type ElicitOptions } from '#sdk/mcp/assentry-v2';

// A tool of three questions and one side effect, as a process that a test can kill.

const { values } = parseArgs({
  options: {
    stdio: { type: 'boolean', default: false },
    ledger: { type: 'string', default: '' },
    holdTimeoutMs: { type: 'string', default: '20000' },
    subject: { type: 'string' },
    relay: { type: 'boolean', default: false },
  },
});
const Answer = z.object({ text: z.string().min(1) });

const ways: Record<string, ElicitOptions & { prefersTask?: boolean }> = {
  book_by_requester: { audience: 'requester' },
  book_by_approvers: { audience: 'approvers' },
  book_in_task: { audience: 'requester', prefersTask: true },
  book_by_page: { audience: 'requester', mode: 'url' },
};

function createServer(): McpServer {
  const mcp = new McpServer({ name: 'travel', version: '1.0.0' });
  const { subject } = values;
  const tools = assentry(mcp, {
    holdTimeoutMs: Number(values.holdTimeoutMs),
    progressIntervalMs: 100,
    ...(values.relay && { withoutElicitation: 'relay' }),
    ...(subject !== undefined && { principal: () => ({ subject, verified: true }) }),
  });
  for (const [name, { prefersTask = false, ...options }] of Object.entries(ways)) {
    tools.registerTool(
      name,
      { description: 'Books a trip after three questions.', inputSchema: z.object({ trip: z.string() }), prefersTask },
      async ({ trip }, { elicit }) => {
        const answers: string[] = [];
        for (const step of ['From', 'To', 'When']) {
          const { status, content } = await elicit(`${step}, for ${trip}?`, Answer, options);
          if (status !== 'accept') return { content: [{ type: 'text', text: `${step}: ${status}` }] };
          answers.push(`${step} ${content.text}`);
        }
        await appendFile(values.ledger, `${trip}: ${answers.join(', ')}\n`);
        return { content: [{ type: 'text', text: answers.join(', ') }] };
      },
    );
  }
  return mcp;
}

if (values.stdio) serveStdio(createServer);
else {
  const { url } = await serveBothEras(createServer, 0);
  console.log(`ready at ${url}`);
}
