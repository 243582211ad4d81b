import type { ShownStage } from '#requests/voting/contract/quorum';

/** Does one more refusal end the request, no matter who in the stage refuses? */
export function endsByOneRefusal(stages: ShownStage[]): boolean {
  const current = stages.find(({ state }) => state === 'current');
  if (current === undefined) return true;
  const isNear = current.groups.every(({ deny, refusals }) => deny - refusals <= 1);
  // If one complete group is enough, another group may still be complete.
  return isNear && (current.complete === 'all' || current.groups.length === 1);
}
