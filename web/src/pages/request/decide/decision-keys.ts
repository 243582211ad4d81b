import type { Risk } from '../../../../../src/model/elicitation.ts';

export type KeyedDecision = 'approve' | 'decline';

export interface KeyStep {
  /** The decision that waits for its second key. */
  armed: KeyedDecision | null;
  /** The decision that was confirmed by this key. */
  decided: KeyedDecision | null;
}

export interface KeyLimits {
  risk: Risk;
  mayApprove: boolean;
  mayDecline: boolean;
}

/** One key never decides: `a` or `d` arms, `y` confirms, anything else disarms. High risk has no keys at all. */
export function pressDecisionKey(armed: KeyedDecision | null, key: string, limits: KeyLimits): KeyStep {
  if (limits.risk === 'high') return idle;
  if (key === 'y' && armed !== null) return { armed: null, decided: armed };
  if (key === 'a' && limits.mayApprove) return { armed: 'approve', decided: null };
  if (key === 'd' && limits.mayDecline) return { armed: 'decline', decided: null };
  return idle;
}

const idle: KeyStep = { armed: null, decided: null };
