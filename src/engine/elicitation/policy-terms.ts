import { lintFormSchema } from '../../form/lint.ts';
import type { FormSchema } from '../../form/schema.ts';
import type { ChatTerms, FreezeWindow, GrantTerms, Justification } from '../../policy/terms/policy-document.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { openQuestion, openVerdict } from './sealed-question.ts';

/** What the policy pinned by an elicitation says apart from who votes, as it was at opening. */
export interface PolicyTerms {
  /** The top-level arguments an approver may change, as properties of an MCP form; null where none. */
  editable: Record<string, Record<string, unknown>> | null;
  /** What each vote must say of its reason. */
  justification: Pick<Justification, 'approver'>;
  /** May approvers set a start? One that the requester set they may move in any case. */
  notBefore: boolean;
  /** What an approver may allow beyond this request; null for nothing. */
  grant: GrantTerms | null;
  /** Who is told of it in chat; null for no one. */
  chat: ChatTerms | null;
  /** Milliseconds: a vote needs a password proven within them. */
  freshSignIn: number | null;
  /** The freeze windows, and the names of those that have a stage. */
  freeze: FreezeWindow[];
  frozen: string[];
}

const builtIn: PolicyTerms = {
  editable: null,
  justification: { approver: [] },
  notBefore: false,
  freshSignIn: null,
  freeze: [],
  frozen: [],
  grant: null,
  chat: null,
};

/** The terms that were sealed with the request; the built-in policy's where there are none. No edits where the tool takes none. */
export function policyTerms({ ring }: Pick<Engine, 'ring'>, row: ElicitationRow): PolicyTerms {
  const terms = { ...builtIn, ...(openVerdict(ring, row) as Partial<PolicyTerms> | null) };
  // An edit that would not reach the tool must not look as if it did.
  return openQuestion(ring, row).takesEdits ? terms : { ...terms, editable: null };
}

/** The form in which approvers may change arguments; null where the policy allows none, or says it wrongly. */
export function editForm({ editable }: Pick<PolicyTerms, 'editable'>): FormSchema | null {
  const lint = editable ? lintFormSchema({ type: 'object', properties: editable }) : null;
  return lint?.ok ? lint.schema : null;
}
