import { actionDigest } from '../../rules.ts';
import { sha256Hex } from '#platform/crypto/digest';
import { runText, type Run } from '#platform/model/hashed-text';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type { Question } from './sealed-question.ts';
import { shownRequester } from './shown-requester.ts';

type Asked = Pick<ElicitationRow, 'id' | 'serverId' | 'tool' | 'mode' | 'audience' | 'policy' | 'revision'>;

/** The action digest of the current question, to which every decision is bound. */
export const digestOfQuestion = (subject: Asked, question: Question): string =>
  actionDigest({
    server: subject.serverId,
    run: runDigest(runOf(subject.tool, question)),
    message: question.message,
    mode: subject.mode,
    schema: question.schema,
    url: question.url,
    facts: question.facts,
    requester: shownRequester(question.requester),
    audience: subject.audience,
    policy: subject.policy,
    revision: subject.revision,
    elicitation: subject.id,
    nonce: question.nonce,
  });

/** The run that the current question asks for. */
export const runOf = (tool: string, question: Question): Run => ({
  tool,
  ...(question.tool.isDescribedInRun && descriptionOf(question)),
  reaches: question.tool.reaches,
  schemaDigest: question.tool.schemaDigest,
  annotations: question.tool.annotations,
  arguments: JSON.parse(question.arguments),
  requester: question.requester,
});

/** What people read about the tool. */
export const descriptionOf = ({ tool: { title, description } }: Pick<Question, 'tool'>) => ({ title, description });

/** The run digest, in hex: what a claim carries. The client library computes the same. */
export const runDigest = (run: Run): string => sha256Hex(runText(run));
