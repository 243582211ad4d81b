// Calls one tool of a server over stdio as each library does, and prints what it heard. It runs next to the libraries.
const [library, command, tool, input] = process.argv.slice(2);
const [program, ...args] = JSON.parse(command);
const server = { command: program, args, env: process.env };
const input_ = JSON.parse(input);

const callers = {
  async '@ai-sdk/mcp'() {
    const { createMCPClient } = await import('@ai-sdk/mcp');
    const { Experimental_StdioMCPTransport: Transport } = await import('@ai-sdk/mcp/mcp-stdio');
    const client = await createMCPClient({ transport: new Transport(server) });
    const tools = await client.tools();
    const result = await tools[tool].execute(input_, { messages: [], toolCallId: 'a' });
    await client.close();
    return result;
  },
  async '@langchain/mcp-adapters'() {
    const { MultiServerMCPClient } = await import('@langchain/mcp-adapters');
    const client = new MultiServerMCPClient({ mcpServers: { it: { transport: 'stdio', ...server } } });
    const tools = await client.getTools();
    const result = await tools.find(({ name }) => name === tool).invoke(input_);
    await client.close();
    return result;
  },
  async '@openai/agents'() {
    const { MCPServerStdio } = await import('@openai/agents');
    const client = new MCPServerStdio({ ...server, timeout: 60_000, clientSessionTimeoutSeconds: 60 });
    await client.connect();
    const result = await client.callTool(tool, input_);
    await client.close();
    return result;
  },
  async 'mcp-use'() {
    const { MCPClient } = await import('mcp-use');
    const client = MCPClient.fromDict({ mcpServers: { it: server } });
    const session = await client.createSession('it');
    const result = await session.callTool(tool, input_);
    await client.closeAllSessions();
    return result;
  },
};

const heard = await callers[library]().catch(({ message }) => message); // LangChain throws what is an error
console.log(JSON.stringify(heard));
process.exit(0);
