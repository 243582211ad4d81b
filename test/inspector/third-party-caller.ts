// A client of 2025 that connects to each of these servers and makes these calls at once; it prints what each call says.
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { connect, connectBy } from '../gateway/http/peers.ts';
import { callTool, textOf } from '../sdk/mcp/peers.ts';
import type { ForeignCalls } from './killed-house.ts';

await Promise.all((JSON.parse(process.argv[2] ?? '[]') as ForeignCalls[]).map(callServer));
process.exit(0);

async function callServer({ at, tool, calls }: ForeignCalls): Promise<void> {
  const { client } =
    'url' in at ? await connect(at.url) : await connectBy(new StdioClientTransport(at), '2025 on the first SDK');
  const calling = Object.entries(calls).map(async ([name, args]) => {
    const text = await callTool(client, tool, args, { timeout: Number(process.argv[3]) }).then(textOf, String);
    process.stdout.write(`${JSON.stringify([name, text])}\n`);
  });
  await Promise.all(calling);
}
