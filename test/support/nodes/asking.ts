import { randomUUID } from 'node:crypto';
import { runDigest, type AboutToRun, type AssentryClient, type ToolCallClaim } from '#sdk/client/client';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { storedRun } from '#sdk/mcp/tools/tasks';
import { patientFetch } from './patient-fetch.ts';

/** An MCP server's side of the API, at one node. */
export interface Asking {
  key: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Asks an approver, under a name of its own, unless told otherwise; the answer must be a success. */
  open(parts?: Record<string, unknown>): Promise<OpenedElicitation>;
  /** Claims as one that runs what `question` asks for, unless told otherwise. */
  claim(toolCall: string, attempt: string, parts?: Partial<AboutToRun> & { leaseMs?: number }): Promise<Response>;
  /** The same key at another node. */
  at(url: string): Asking;
}

export const question = {
  tool: { name: 'transfer_funds' },
  arguments: { amount: 100 },
  message: 'Transfer the money?',
  schema: { type: 'object', properties: { confirmed: { type: 'boolean' } } },
  requester: { subject: 'alice' },
  audience: 'approvers',
  takesEdits: true,
};

/** `send` is `fetch` where a test is about a node that refuses to do more. */
export function askingAt(url: string, key: string, send = patientFetch): Asking {
  const call: Asking['call'] = (method, path, body, headers) =>
    send(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    key,
    call,
    async open(parts) {
      const sent = { ...question, call: randomUUID(), ...parts };
      const response = await call('POST', '/v1/elicitations', sent);
      const text = await response.text();
      if (!response.ok) throw new TypeError(`The question was refused: ${response.status} ${text}`);
      return JSON.parse(text) as OpenedElicitation;
    },
    async claim(toolCall, attempt, { leaseMs, ...parts } = {}) {
      const run = await runDigest({ ...question, ...parts });
      return call('POST', `/v1/tool-calls/${toolCall}/claim`, { attempt, run, ...(leaseMs && { leaseMs }) });
    },
    at: (other) => askingAt(other, key, send),
  };
}

/** Claims as a run in another process would, with what was asked. */
export async function claimStored(client: AssentryClient, toolCall: string, attempt: string): Promise<ToolCallClaim> {
  const run = await runDigest(storedRun(await client.getToolCall(toolCall)));
  return client.claim(toolCall, { attempt, run });
}
