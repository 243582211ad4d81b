import type { FreezeWindow } from '../../../document/rules/document/policy-document.ts';
import { onlyRequester } from '../../../document/rules/stages/stage-plan.ts';
import type { StagePlan, Verdict } from '../../../document/rules/verdict/verdict.ts';

/** The windows that are open at this time, in milliseconds since 1970. */
export const openWindows = (windows: readonly FreezeWindow[], at: number): FreezeWindow[] =>
  windows.filter(({ from, until }) => from <= at && at < until);

/** The window that a start at this time falls into, if the window has no stage; otherwise null. */
export const freezeAgainst = ({ freeze, frozen }: Pick<Verdict, 'freeze' | 'frozen'>, at: number): string | null =>
  openWindows(freeze, at).find(({ name }) => !frozen.includes(name))?.name ?? null;

/** The stage that is needed as long as a window is open. */
export function freezeStage({ name, approvers }: FreezeWindow): StagePlan {
  const title = `Freeze: ${name}`;
  return {
    name: title,
    complete: 'all',
    groups: [{ name: title, approve: { count: 1 }, deny: 1, approvers, meaning: 'approved' }],
    escalation: null,
    separation: onlyRequester,
    excluded: [],
  };
}
