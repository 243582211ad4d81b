import type { RequireRule } from '../document/policy-document.ts';
import type { StagePlan } from '../verdict/verdict.ts';

export const onlyRequester: StagePlan['separation'] = { agentOwner: false, earlierVoters: false, editor: false };

/** The stages of a rule, each with the people whom the rule excludes from it. */
export function planStages({ stages, separation }: RequireRule, authorId: string | null): StagePlan[] {
  const { author, ...others } = separation;
  const excluded = author && authorId !== null ? [authorId] : [];
  return stages.map((stage) => ({ ...stage, separation: others, excluded }));
}
