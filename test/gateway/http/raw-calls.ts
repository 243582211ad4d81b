import { initialize, post } from './raw-post.ts';

const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'report' };
export const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

export interface Answered {
  error?: unknown;
  result?: { requestState: string; inputRequests: Record<string, unknown> };
}

/** A call of 2026-07-28 of the tool `report`, or another, and what the gateway answered. */
export async function report(url: string, text: string, more: object = {}): Promise<Answered & { text: string }> {
  const params = { name: 'report', arguments: { text }, _meta: meta, ...more };
  const named = { ...headers, 'mcp-name': params.name };
  const answer = await (await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, named)).text();
  const json = answer.startsWith('{') ? answer : answer.slice(answer.lastIndexOf('data: ') + 6);
  return { ...(JSON.parse(json) as Answered), text: answer };
}

/** A session of 2025 whose client says that it can ask, and a call in it at this node: the id of its question. */
export async function askedOnStream(url: string, text: string) {
  const capabilities = { elicitation: {} };
  const begun = await post(url, { ...initialize, params: { ...initialize.params, capabilities } });
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' };
  await begun.text();
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const params = { name: 'report', arguments: { text } };
  const answer = await post(url, { jsonrpc: '2.0', id: 2, method: 'tools/call', params }, session);
  const stream = (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  /** What came until this did. */
  const untilSeen = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const [, match] = pattern.exec(received) ?? [];
      if (match !== undefined) return match;
      const { value, done } = await stream.read();
      if (done) throw new TypeError(`It ended with: ${received}`);
      received += value;
    }
  };
  return { session, untilSeen, id: await untilSeen(/"id":"(assentry-[^"]+)"/) };
}

export const reply = (id: string, action: string, decision = 'approve') => ({
  jsonrpc: '2.0',
  id,
  result: { action, ...(action === 'accept' && { content: { decision } }) },
});
