import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createElicitationHandler, elicitationCapabilities } from '../../src/sdk/host/assentry-host.ts'; // 'assentry/host'

// npx tsx examples/conformance-client/v2.ts URL
// The same on the second SDK, with servers of every revision.

const client = new Client(
  { name: 'assentry-conformance', version: '1.0.0' },
  { capabilities: elicitationCapabilities(), versionNegotiation: { mode: 'auto' } },
);
const options = { serverName: 'conformance', principal: 'nightly-agent', applyDefaults: true };
client.setRequestHandler('elicitation/create', createElicitationHandler(options));

await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2] ?? '')));
const { tools } = await client.listTools();
// This SDK refuses a result that does not say its kind: that call fails, the others go on.
await Promise.allSettled(tools.map(({ name }) => client.callTool({ name, arguments: {} })));
await client.close();
