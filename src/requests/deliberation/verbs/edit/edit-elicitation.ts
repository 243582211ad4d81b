import { canonicalJson } from '#platform/crypto/digest';
import { checkAnswer, type FormContent } from '#platform/form/answer';
import type { ElicitationId } from '#platform/model/id';
import { nameInPin } from '#policies/contract/policy';
import type { User } from '#people/directory/contract/user';
import { invalidInput, Problem } from '#platform/model/problem';
import { alsoBy, type Verdict } from '#policies/document/rules/verdict';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { changeElicitation } from '../../../state/verbs/change/change.ts';
import { editForm, policyTerms, type PolicyTerms } from '../../../state/verbs/permissions/policy-terms.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { Intent } from '../../../state/verbs/intent/intent.ts';
import { judgeAgain } from './judge-again.ts';
import { against, assertNoObjection } from '../../../state/verbs/permissions/permissions.ts';
import { digestOfQuestion } from '../../../asking/verbs/question/question-digest.ts';
import { assertSeen } from '../../../state/verbs/permissions/assert-vote.ts';
import { refreshForPermissions } from '../../../state/verbs/change/revalidate.ts';
import {
  openQuestion,
  sealReplaced,
  sealRevised,
  sealVerdict,
  type Question,
} from '../../../asking/verbs/question/sealed-question.ts';

/**
 * Replaces arguments that the policy lets approvers change. The new revision has a new digest and is judged by the
 * policies like a new request. Every vote is void, the deadline stays, and the old question is kept.
 */
export async function editElicitation(
  engine: Engine,
  user: User,
  id: ElicitationId,
  edit: { digest: string; arguments: FormContent },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, basis) => {
    assertSeen(row, edit.digest);
    const terms = policyTerms(engine, row);
    const rules = await basis.rules();
    const { current, requesters } = refreshForPermissions(engine, row, rules, now, [user.id]);
    assertNoObjection(against.edit(user, current, { requesters, terms }));
    const question = openQuestion(engine.ring, row);
    const edited = withArguments(question, checkEdit(terms, edit.arguments));
    const { verdict, stages, policy, risk } = await judgeAgain(engine, rules, row, edited, user);
    return {
      ...revision(engine, user, row, { question, edited, policy, risk, verdict }),
      ...edits(user, stages, now),
    };
  });
}

function checkEdit(terms: PolicyTerms, changed: FormContent): FormContent {
  const form = editForm(terms);
  if (!form) throw new Problem('forbidden');
  const checked = checkAnswer(form, { action: 'accept', content: changed });
  if (checked.ok) return checked.content ?? {};
  const errors = checked.errors.map(({ path, message }) => ({ path: ['arguments', ...path], message }));
  throw new Problem('INVALID_INPUT', { errors });
}

function withArguments(question: Question, changed: FormContent): Question {
  const edited = canonicalJson({ ...(JSON.parse(question.arguments) as object), ...changed });
  if (edited !== question.arguments) return { ...question, arguments: edited };
  throw invalidInput(['arguments'], 'Change an argument: these are the current values.');
}

interface Revision {
  question: Question;
  edited: Question;
  policy: string;
  risk: ElicitationRow['risk'];
  verdict: unknown;
}

/** The new question in the row, and the old one next to it, both sealed. */
function revision(
  { ring }: Engine,
  user: User,
  row: ElicitationRow,
  { question, edited, policy, risk, verdict }: Revision,
): Pick<Intent, 'revised' | 'replaced' | 'says'> {
  const number = row.revision + 1;
  const digest = digestOfQuestion({ ...row, policy, revision: number }, edited);
  const explanation = verdict === null ? null : sealVerdict(ring, row, verdict);
  const presence = (verdict as Partial<Verdict> | null)?.presence?.needed ?? 'none';
  const isTold = (verdict as Partial<Verdict> | null)?.chat != null;
  const others = alsoBy((verdict as Partial<Verdict> | null) ?? {});
  return {
    revised: {
      revision: number,
      digest,
      policy,
      risk,
      payload: sealRevised(ring, row, edited),
      explanation,
      alsoBy: others.map(nameInPin),
      isTold,
    },
    replaced: {
      revision: row.revision,
      digest: row.digest,
      policy: row.policy,
      payload: sealReplaced(ring, row, question),
      userId: user.id,
    },
    says: (fields) => ({
      type: 'elicitation.edited',
      replaces: row.digest,
      ...(presence !== 'none' && { presence }),
      ...(others.length > 0 && { alsoBy: others }),
      ...fields,
    }),
  };
}

const edits = (user: User, stages: ElicitationRow['state']['context']['stages'], at: number) => ({
  actor: { kind: 'user', id: user.id } as const,
  event: { type: 'edit', by: user.id, stages, at } as const,
});
