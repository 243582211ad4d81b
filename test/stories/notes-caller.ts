// A client of 2025 that connects as soon as it can, and calls this tool once: the one that writes, unless told.
import { connect } from '../gateway/http/peers.ts';
import { callTool, textOf } from '../sdk/mcp/peers.ts';
import { until } from '../support/poll.ts';

const [url = '', text = '', tool = 'write_note'] = process.argv.slice(2);
const { client } = await until(() => connect(url).catch(() => undefined));
process.stdout.write(textOf(await callTool(client, tool, { text })));
await client.close();
