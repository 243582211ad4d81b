import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { answerThroughAssentry } from '../../src/sdk/host/assentry-host.ts'; // in your project: 'assentry/host'

// npx tsx examples/conformance-client/v1.ts URL
// Calls every tool of the server; whatever it asks is put before Assentry's approvers.
// ASSENTRY_URL and ASSENTRY_API_KEY say where to ask.

const client = new Client({ name: 'assentry-conformance', version: '1.0.0' });
answerThroughAssentry(client, { serverName: 'conformance', principal: 'nightly-agent', applyDefaults: true });

const transport = new StreamableHTTPClientTransport(new URL(process.argv[2] ?? ''));
await client.connect(transport as Parameters<typeof client.connect>[0]);
const { tools } = await client.listTools();
await Promise.allSettled(tools.map(({ name }) => client.callTool({ name, arguments: {} })));
await client.close();
