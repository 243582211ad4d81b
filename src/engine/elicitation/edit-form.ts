import { lintFormSchema } from '../../form/lint.ts';
import type { FormSchema } from '../../form/schema.ts';
import type { PolicyTerms } from './policy-terms.ts';

/** The form in which approvers may change arguments; null where the policy allows none, or says it wrongly. */
export function editForm({ editable }: Pick<PolicyTerms, 'editable'>): FormSchema | null {
  const lint = editable ? lintFormSchema({ type: 'object', properties: editable }) : null;
  return lint?.ok ? lint.schema : null;
}
