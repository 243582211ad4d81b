import { editPolicy, type Edit } from './edit-policy.ts';
import { outcomes, readPolicyParts, type Outcome } from './policy-parts.ts';

/** Puts this rule in place of the one that stands there, or of several. */
export const chooseOutcome = (outcome: Outcome, rule: object): Edit[] => [
  [['rules'], undefined],
  ...outcomes.filter((name) => name !== outcome).map((name): Edit => [[name], undefined]),
  [[outcome], rule],
];

/** The text that retires this policy; its reason is still to be written. */
export const retiringDocument = (name: string, document: string): string =>
  editPolicy(readPolicyParts(document) ? document : `policy: ${name}\n`, chooseOutcome('retire', { reason: '' }));
