import { digestTool } from '#gateway/tools/definition';
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
import { digestDocument } from './read.ts';
import { decideAlone } from './apply.ts';

/**
 * Puts the answer to a look at new tools in force as a policy, if this person may publish policies; in production, it is put
 * before a second administrator. Called before the request ends, so that none ends without its policy; the same answer again
 * makes no version. An answer that believes and blocks nothing needs no policy: these tools wait anyway.
 */
export async function answerLook(
  engine: Engine,
  user: User & Partial<SignedInUser>,
  row: ElicitationRow,
  content: FormContent | undefined,
): Promise<void> {
  if (row.tool !== definitionTool || content === undefined) return;
  const question = openQuestion(engine.ring, row);
  const looked = LookedServer.safeParse(JSON.parse(question.arguments));
  const answer = LookAnswer.safeParse(content);
  const { reaches } = question.tool;
  if (!looked.success || !answer.success || reaches === undefined) return;
  if (answer.data.believe.length + answer.data.block.length === 0) return;
  assertProof(engine, user, 'every-factor');
  const definitions = looked.data.tools.map(({ definition }) => definition);
  const tools = await Promise.all(
    definitions.map(async (definition) => ({ name: definition.name, digest: await digestTool(definition) })),
  );
  const policy = nameOf(row.serverName, [reaches, ...tools.map(({ digest }) => digest)]);
  const document = lookDocument(policy, { server: row.serverName, reaches, tools, ...answer.data });
  const stored = await engine.policies.find(policy);
  const [latest] = stored?.versions ?? [];
  const isThere = latest?.digest === digestDocument(document) && latest.state !== 'rejected';
  if (!isThere || (latest.state === 'approved' && latest.version !== stored?.publishedVersion))
    await decideAlone(engine, user, { policy, document, note: `Written from ${row.id}` });
}

/** The same tools of the same server have the same policy, so that a second look is its next version. */
function nameOf(server: string, parts: string[]): string {
  const plain = server.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const digits = sha256([server, ...parts].join('\n'))
    .subarray(0, 5)
    .toString('hex');
  return `tools-of-${plain.slice(0, 40)}-${digits}`;
}
