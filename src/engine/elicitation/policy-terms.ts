import { lintFormSchema } from '../../form/lint.ts';
import type { FormSchema } from '../../form/schema.ts';
import type { KeyFact } from '../../model/key-facts/key-fact.ts';
import type {
  ChatTerms,
  FreezeWindow,
  GrantTerms,
  Justification,
  NotifyTerms,
} from '../../policy/terms/policy-document.ts';
import type { PaceRule } from '../../policy/terms/pace.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { openQuestion, openVerdict, type Question } from './sealed-question.ts';

/** What the policy pinned by an elicitation says apart from who votes, as it was at opening. */
export interface PolicyTerms {
  /** The top-level arguments an approver may change, as properties of an MCP form; null if none. */
  editable: Record<string, Record<string, unknown>> | null;
  /** What people see next to the buttons; empty if the policy does not say. */
  facts: KeyFact[];
  /** The rules for the reason of each vote. */
  justification: Pick<Justification, 'approver'>;
  /** May approvers set a start? They may always move a start that the requester set. */
  notBefore: boolean;
  /** What an approver may allow beyond this request; null for nothing. */
  grant: GrantTerms | null;
  /** Who is notified in chat; null for no one. */
  chat: ChatTerms | null;
  /** How approvers are notified; null if their own settings alone say so. */
  notify: NotifyTerms | null;
  /** Milliseconds: a vote needs a password proven within them. */
  freshSignIn: number | null;
  /** Milliseconds between showing and approving; null is the installation's default. */
  readingTime: number | null;
  /** How fast one person may approve. */
  pace: PaceRule[];
  /** The freeze windows, and the names of those that have a stage. */
  freeze: FreezeWindow[];
  frozen: string[];
}

const builtIn: PolicyTerms = {
  editable: null,
  facts: [],
  justification: { approver: [] },
  notBefore: false,
  freshSignIn: null,
  readingTime: null,
  pace: [],
  freeze: [],
  frozen: [],
  grant: null,
  chat: null,
  notify: null,
};

/** The terms sealed with the request, or the built-in policy's. No edits if the tool does not accept them. */
export function policyTerms({ ring }: Pick<Engine, 'ring'>, row: ElicitationRow): PolicyTerms {
  const verdict = openVerdict(ring, row) as Partial<PolicyTerms> | null;
  const question = openQuestion(ring, row);
  const cached = termsOf.get(question);
  if (cached?.verdict === verdict) return cached.terms;
  // An edit that does not reach the tool must not be offered.
  const withoutEdits = !question.takesEdits && { editable: null };
  const terms = Object.freeze({ ...builtIn, ...verdict, ...withoutEdits });
  termsOf.set(question, { verdict, terms });
  return terms;
}

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
