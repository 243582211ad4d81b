import type { PolicyDefaults } from '../../../contract/policy.ts';
import { stricterTerms } from '../../../document/rules/document/term-list.ts';
import type { Requirement } from '../../../document/rules/stages/strict-default.ts';

/**
 * A requirement at least as strict as each of the two: the stages and freeze windows of both, and of each term what the
 * term itself says is the stricter. The name comes from the first.
 */
export const combine = (first: Requirement, second: Requirement, defaults: PolicyDefaults): Requirement => ({
  policy: first.policy,
  stages: [...first.stages, ...second.stages],
  freeze: [...first.freeze, ...second.freeze],
  frozen: [...first.frozen, ...second.frozen],
  ...stricterTerms(first, second, defaults),
});
