import { AskedTool, OpenElicitation } from '#requests/asking/contract/open';
import { Problem } from '#platform/model/problem';
import { runText } from '#platform/model/hashed-text';

/** Members of a run, without hints that are not MCP's. */
const Asked = OpenElicitation.pick({ arguments: true, requester: true }).extend({ tool: AskedTool });

/** The run about to happen, in the terms of the request. */
export type AboutToRun = Pick<OpenElicitation, 'tool' | 'arguments' | 'requester'>;

/**
 * The run digest of what is about to run, which a claim carries: Assentry releases an execution only for the run that
 * people approved. Compute it from what your code is about to use, not from what was asked.
 */
export async function runDigest({ tool, arguments: args, requester }: AboutToRun): Promise<string> {
  const sent: unknown = JSON.parse(JSON.stringify(args));
  const { data, error } = Asked.safeParse({ tool, arguments: sent, requester });
  if (error) {
    const errors = error.issues.map(({ path, message }) => ({ path: path.map(String), message }));
    throw new Problem('INVALID_INPUT', { detail: 'Give tool, arguments and requester as in the request.', errors });
  }
  const { name, schemaDigest = null, annotations = null, ...described } = data.tool;
  const run = { ...described, tool: name, schemaDigest, annotations, arguments: sent, requester: data.requester };
  return sha256(runText(run));
}

/** The SHA-256 of a text as UTF-8, in hex. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return hex(new Uint8Array(digest));
}

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Random bytes in hex, for a name that cannot be guessed. */
export const randomHex = (bytes = 16): string => hex(crypto.getRandomValues(new Uint8Array(bytes)));
