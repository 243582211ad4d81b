import type { Risk } from '#requests/asking/contract/elicitation';

export type KeyedDecision = 'approve' | 'decline';

interface KeyStep {
  /** The decision that waits for its second key. */
  armed: KeyedDecision | null;
  /** The decision that was confirmed by this key. */
  decided: KeyedDecision | null;
  /** The button that gets the focus: at high risk, letters decide nothing. */
  focused: KeyedDecision | null;
}

interface KeyLimits {
  risk: Risk;
  mayApprove: boolean;
  mayDecline: boolean;
}

/** One key never decides: `a` or `d` arms, `y` confirms, anything else disarms. At high risk they only lead to the button. */
export function pressDecisionKey(armed: KeyedDecision | null, key: string, limits: KeyLimits): KeyStep {
  if (key === 'y' && armed !== null) return { ...idle, decided: armed };
  const verb = key === 'a' && limits.mayApprove ? 'approve' : key === 'd' && limits.mayDecline ? 'decline' : null;
  return limits.risk === 'high' ? { ...idle, focused: verb } : { ...idle, armed: verb };
}

const idle: KeyStep = { armed: null, decided: null, focused: null };
