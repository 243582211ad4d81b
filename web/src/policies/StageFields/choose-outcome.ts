import { editPolicy, type Edit } from './edit-policy.ts';
import { outcomes, readPolicyParts, type Outcome } from '../policy-parts.ts';
import type { PlacePath } from '../schema-choices/yaml-place.ts';

/** Puts this in place of the outcome that stands there. */
export const chooseOutcome = (holder: PlacePath, outcome: Outcome, rule: object): Edit[] => [
  [[...holder, outcome], rule],
  ...outcomes.filter((name) => name !== outcome).map((name): Edit => [[...holder, name], undefined]),
];

/** The text that retires this policy; its reason is still to be written. */
export const retiringDocument = (name: string, document: string): string =>
  editPolicy(readPolicyParts(document) ? document : `policy: ${name}\n`, [
    ...chooseOutcome([], 'retire', { reason: '' }),
    [['rules'], undefined],
  ]);
