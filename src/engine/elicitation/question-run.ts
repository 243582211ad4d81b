import { sha256 } from '../../crypto/digest.ts';
import { runText, type Run } from '../../model/run.ts';
import type { Question } from './sealed-question.ts';

/** The run a question asks for, as it stands. */
export const runOf = (tool: string, question: Question): Run => ({
  tool,
  schemaDigest: question.tool.schemaDigest,
  annotations: question.tool.annotations,
  arguments: JSON.parse(question.arguments),
  requester: question.requester,
});

/** The run digest, in hex: what a claim carries. The client library computes the same. */
export const runDigest = (run: Run): string => sha256(runText(run)).toString('hex');
