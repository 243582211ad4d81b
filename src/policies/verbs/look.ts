import { sha256 } from '#platform/crypto/digest';
import { definitionTool } from '#platform/model/names';
import { assertProof } from '#access/sign-in/verbs/sessions';
import { openQuestion } from '#requests/asking/verbs/question';
import type { SignedInUser, User } from '#people/directory/contract/user';
import type { ElicitationRow } from '#requests/state/store/row';
import type { FormContent } from '#platform/form/answer';
import type { Engine } from '#platform/nodes/verbs/engine';
import { LookAnswer, LookedServer } from '../contract/look.ts';
import { lookDocument } from '../language/rules/look.ts';
import { readPolicy } from './read.ts';
import { assertMay } from '#people/directory/verbs/may';
import type { Within } from '#platform/database/transactor';
import { decideAlone } from './apply.ts';

/**
 * Commits the answer to a look at new tools, with the policy that it is, if this person may publish policies; in production, the
 * policy is put before a second administrator. Null for other requests, and for an answer that believes and blocks nothing: these
 * tools wait anyway.
 */
export async function policyOfLook(
  engine: Engine,
  user: User & Partial<SignedInUser>,
  row: ElicitationRow,
  content: FormContent | undefined,
): Promise<Within | undefined> {
  if (row.tool !== definitionTool || content === undefined) return undefined;
  const question = openQuestion(engine.ring, row);
  const looked = LookedServer.safeParse(JSON.parse(question.arguments));
  const answer = LookAnswer.safeParse(content);
  const { reaches } = question.tool;
  if (!looked.success || !answer.success || reaches === undefined) return undefined;
  if (answer.data.believe.length + answer.data.block.length === 0) return undefined;
  assertMay(user, 'publish-policies');
  assertProof(engine, user, 'every-factor');
  const { tools } = looked.data;
  const policy = nameOf(row.serverName, [reaches, ...tools.map(({ digest }) => digest)]);
  const document = lookDocument(policy, { server: row.serverName, reaches, tools, ...answer.data });
  readPolicy(document);
  return async (store) =>
    void (await decideAlone(engine, user, { policy, document, note: `Written from ${row.id}` }, store));
}

/** The same tools of the same server have the same policy, so that a second look is its next version. */
function nameOf(server: string, parts: string[]): string {
  const plain = server.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const digits = sha256([server, ...parts].join('\n'))
    .subarray(0, 5)
    .toString('hex');
  return `tools-of-${plain.slice(0, 40)}-${digits}`;
}
