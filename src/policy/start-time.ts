import { defaultApproverTtl, defaultRequesterTtl, longestTtl } from '../model/elicitation.ts';
import { openWindows } from './freeze.ts';
import type { Verdict } from './verdict.ts';

/** How long people have, in milliseconds: what the caller asks for, but never longer than the policy says. */
export function ttlOf({ deadline, audience }: Pick<Verdict, 'deadline' | 'audience'>, asked: number | null): number {
  const usual = audience === 'approvers' ? defaultApproverTtl : defaultRequesterTtl;
  return Math.min(asked ?? deadline ?? usual, deadline ?? longestTtl);
}

export interface StartChange {
  by: 'requester' | 'approver';
  /** The start so far; null is at once. Milliseconds since 1970. */
  from: number | null;
  to: number;
  now: number;
}

/** Why a request may not start at this time, in words; null where it may. */
export function refuseStart(
  { notBefore, freeze, frozen }: Pick<Verdict, 'notBefore' | 'freeze' | 'frozen'>,
  { by, from, to, now }: StartChange,
): string | null {
  if (!notBefore) return 'Its policy does not let anybody set when it starts.';
  if (by === 'approver' && to < (from ?? now)) return 'Approvers may move the start only to a later time.';
  if (to > now + longestTtl) return 'It must start within 30 days.';
  const window = openWindows(freeze, to).find(({ name }) => !frozen.includes(name));
  return window ? `It would start within the freeze ${window.name}.` : null;
}
