import { lintFormSchema } from '#platform/form/lint';
import type { FormSchema } from '#platform/form/schema';
import type { FreezeWindow } from '#policies/document/rules/document';
import { plainTerms, type Terms } from '#policies/document/rules/document';
import type { Presence, PresenceTerm } from '#people/directory/contract/presence';
import type { ElicitationRow } from '../../store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { openQuestion, openVerdict, type Question } from '../../../asking/verbs/question/sealed-question.ts';

/** What the policy pinned by an elicitation says apart from who votes, as it was at opening. */
export interface PolicyTerms extends Terms {
  /** The freeze windows, and the names of those that have a stage. */
  freeze: FreezeWindow[];
  frozen: string[];
}

const builtIn: PolicyTerms = { ...plainTerms, freeze: [], frozen: [] };

/** The terms sealed with the request, or the built-in policy's. No edits if the tool does not accept them. */
export function policyTerms({ ring }: Pick<Engine, 'ring'>, row: ElicitationRow): PolicyTerms {
  const verdict = openVerdict(ring, row) as Partial<PolicyTerms> | null;
  const question = openQuestion(ring, row);
  const cached = termsOf.get(question);
  if (cached?.verdict === verdict) return cached.terms;
  // An edit that does not reach the tool must not be offered.
  const withoutEdits = !question.takesEdits && { editable: null };
  const terms = Object.freeze({ ...builtIn, ...verdict, presence: presenceOf(verdict?.presence), ...withoutEdits });
  termsOf.set(question, { verdict, terms });
  return terms;
}

/** Requests of before a policy could be silent have the word alone. */
const presenceOf = (stored: PresenceTerm | Presence | undefined): PresenceTerm => {
  if (stored === undefined) return builtIn.presence;
  return typeof stored === 'object' && 'needed' in stored ? stored : { needed: stored, hasDefault: false };
};

/** A vote asks for them several times. They live as long as the row that was read. */
const termsOf = new WeakMap<Question, { verdict: Partial<PolicyTerms> | null; terms: PolicyTerms }>();

/** Milliseconds that must lie between showing this request to a person and their approval. */
export const readingTimeOf = (
  { defaults }: Pick<Engine, 'defaults'>,
  { risk }: Pick<ElicitationRow, 'risk'>,
  { readingTime }: Pick<PolicyTerms, 'readingTime'>,
): number => readingTime ?? (risk === 'high' ? defaults.readingTime : 0);

/** The form in which approvers may change arguments; null if the policy allows no change, or its form is invalid. */
export function editForm({ editable }: Pick<PolicyTerms, 'editable'>): FormSchema | null {
  const lint = editable ? lintFormSchema({ type: 'object', properties: editable }) : null;
  return lint?.ok ? lint.schema : null;
}
