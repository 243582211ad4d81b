import { AskedTool, OpenElicitation } from '#requests/asking/contract/open';
import { Problem } from '#platform/model/problem';
import { runText } from '#platform/model/hashed-text';
import { sha256 } from './digest.ts';

/** Hints that are not MCP's are no part of a run. */
const Asked = OpenElicitation.pick({ arguments: true, requester: true }).extend({ tool: AskedTool });

/** What is about to run, in the terms of the request. */
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
