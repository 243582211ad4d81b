import { canonicalJson, sha256Hex } from '#platform/crypto/digest';
import { checkAnswer, type FormContent } from '#platform/form/answer';
import type { ElicitationId } from '#platform/model/id';
import { nameInPin } from '#policies/contract/policy';
import type { User } from '#people/directory/contract/user';
import { invalidInput, Problem } from '#platform/model/problem';
import { alsoBy, type Verdict } from '#policies/document/rules/verdict';
import type { ElicitationRow } from '../../state/store/row.ts';
import {
  changeElicitation,
  refreshForPermissions,
  askedIn,
  factsOf,
  type AskedQuestion,
} from '../../state/verbs/change.ts';
import {
  editForm,
  policyTerms,
  type PolicyTerms,
  against,
  assertNoObjection,
  assertSeen,
} from '../../state/verbs/permissions.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { Intent } from '../../state/verbs/intent.ts';
import {
  digestOfQuestion,
  openQuestion,
  sealReplaced,
  sealRevised,
  sealVerdict,
  type Question,
  cells,
  type LookBackFinding,
  openVerdict,
} from '../../asking/verbs/question.ts';
import { type Rules } from '#policies/deciding/verbs/rules';
import { assertMay } from '#people/directory/verbs/may';
import { auditEntry } from '#audit/entries/rules/entry';
import { requestFacts } from '#audit/entries/rules/events';
import { newId } from '#platform/crypto/random';
import type { ListedLookBack } from '../store/proceedings.ts';
import { requestersOf } from '../../asking/verbs/requester.ts';
import { timeAfter } from '#platform/nodes/verbs/lists';
import type { Stage } from '../../voting/contract/stages.ts';
import { decide } from '#policies/deciding/rules/decide';
import { resolveStages } from '#policies/deciding/rules/stages';
import { termsFault } from '#policies/deciding/verbs/judge';

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

/**
 * Says whether people should have been asked about a request that its policy allowed; once, by someone who may read it
 * and did not request it. What ran stays as it is: the entry is for those who look after the policy.
 */
export async function reviewLookBack(
  engine: Engine,
  user: User,
  id: ElicitationId,
  finding: LookBackFinding,
): Promise<void> {
  const [row, lookBack] = await Promise.all([engine.reader.elicitation(id), engine.proceedings.lookBack(id)]);
  if (!row) throw new Problem('not-found');
  const requesters = requestersOf(engine, row, await engine.rules.users());
  assertNoObjection(against.reviewLookBack(user, row, { requesters, lookBack }));
  const sealed = cells.lookBack.seal(engine.ring, row, row.id, finding);
  const at = timeAfter(engine, row.state.context.now);
  const verdict = { shouldHaveAsked: finding.shouldHaveAsked, said: sha256Hex(sealed) };
  const event = { type: 'look-back.reviewed', ...requestFacts(row), elicitation: id, ...verdict } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  const review = { reviewerId: user.id, at, finding: sealed };
  if (!lookBack || !(await engine.proceedings.reviewLookBack(id, lookBack, review, entry)))
    throw new Problem('not-now', { refusal: { code: 'already-reviewed' } });
}

/** Allowed requests drawn for a later look, unreviewed ones first; for administrators and reviewers. */
export async function listLookBacks(
  { proceedings }: Pick<Engine, 'proceedings'>,
  user: User,
): Promise<ListedLookBack[]> {
  assertMay(user, 'watch-requests');
  return proceedings.listLookBacks();
}

/**
 * What the current policies say about a question as this person edited it; approvers who were added stay. A request
 * that needed approvers still needs them: if the policies would ask no one, the current stages stay. Problem
 * `policy-denied` or `unsatisfiable` if the policies would refuse it, `INVALID_INPUT` if the request does not meet the
 * terms of the policy that decides it now.
 */
async function judgeAgain(
  engine: Engine,
  { book, directory }: Pick<Rules, 'book' | 'directory'>,
  row: ElicitationRow,
  edited: Question,
  editor: User,
) {
  const question = { ...askedIn(engine, row), arguments: JSON.parse(edited.arguments) as Record<string, unknown> };
  const facts = factsOf(question, directory, engine, engine.now());
  const verdict = decide(book, facts);
  if (verdict.outcome === 'deny')
    throw new Problem('policy-denied', verdict.reason === null ? {} : { detail: verdict.reason });
  const storedVerdict = openVerdict(engine.ring, row) as Partial<Verdict> | null;
  const isAsking = verdict.stages.length > 0;
  if (isAsking) assertMet(verdict, question, row.deadlineAt);
  const { policy, risk } = isAsking ? verdict : row;
  const plans = isAsking ? verdict.stages : storedVerdict?.stages;
  if (!plans) return { policy, risk, stages: stagesWithoutAdded(row), verdict: storedVerdict };
  const editors = [...(await engine.reader.editors(row.id)), editor.id];
  const resolution = resolveStages(plans, directory, facts, { editors });
  if (!resolution.ok) throw new Problem('unsatisfiable', { detail: resolution.reason });
  return { policy, risk, stages: resolution.stages, verdict: isAsking ? verdict : storedVerdict };
}

function assertMet(verdict: Verdict, question: AskedQuestion, deadlineAt: number): void {
  const fault = termsFault(verdict, question, deadlineAt);
  if (!fault) return;
  const message = `Change the edit: ${verdict.policy} would then decide this request and refuses its ${fault.path.join('.')}. ${fault.message}`;
  throw invalidInput(['arguments'], message);
}

const stagesWithoutAdded = ({ state }: ElicitationRow): Stage[] =>
  state.context.stages.filter(({ added }) => added === undefined);
