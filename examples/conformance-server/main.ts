import { parseArgs } from 'node:util';
import { McpServer, type ServerNotifier } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { assentry } from '../../src/sdk/mcp/assentry-v2.ts'; // in your project: 'assentry/mcp-v2'
import { serveBothEras } from '../serve-both-eras.ts';
import { registerElicitationTools } from './elicitation-tools.ts';
import { registerInputRequiredTools } from './input-required-tools.ts';
import { registerJobs, registerMemoryTasks } from './memory-tasks.ts';
import { registerProtocolTools } from './protocol-tools.ts';
import { registerTaskTools } from './task-tools.ts';

// npx tsx examples/conformance-server/main.ts [--stdio | --port 3000]
// The tools that MCP's conformance suite calls. ASSENTRY_URL and ASSENTRY_API_KEY say where to ask.

const { values } = parseArgs({
  options: { stdio: { type: 'boolean', default: false }, port: { type: 'string', default: '3000' } },
});

/** Over stdio nothing changes, and there is no one to tell of it. */
function createConformanceServer(notifier?: () => ServerNotifier): McpServer {
  const mcp = new McpServer({ name: 'assentry-conformance', version: '1.0.0' }, { capabilities: { logging: {} } });
  registerMemoryTasks(mcp);
  const tools = assentry(mcp);
  registerElicitationTools(tools);
  registerInputRequiredTools(tools, mcp);
  registerTaskTools(tools);
  registerJobs(mcp);
  if (notifier) registerProtocolTools(mcp, notifier);
  return mcp;
}

if (values.stdio) {
  serveStdio(() => createConformanceServer());
} else {
  const { url } = await serveBothEras(createConformanceServer, Number(values.port));
  console.log(`MCP server ready at ${url}`);
}
