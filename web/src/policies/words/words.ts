import { policiesWords } from '#locales/policies';
import { policiesAsidesWords } from '#locales/policies-asides';
import { policiesVersionsWords } from '#locales/policies-versions';
import { formatAside } from '#messages/clause-parts';
import type { PolicyAside } from '#policies/contract/policy';
import { language } from '../../language/language.ts';

/** Words of the policy pages: the document, and the life of its versions. */
export const { check, difference, editor, marks, operator, starting } = policiesWords[language];
export const { draft, list, shadow, steps, version } = policiesVersionsWords[language];

export const form = {
  ...policiesWords[language].form,
  removeSource: (kind: string, value: string): string => policiesWords[language].form.removeSource(kind, value).trim(),
};

const { requires, ...ofSimulator } = policiesVersionsWords[language].simulator;

export const simulator = {
  ...ofSimulator,
  requires: (stages: { name: string; approvers: number | null }[]): string =>
    stages.map(({ name, approvers }) => requires.stage(name, approvers)).join(requires.then),
};

export const callTrial = {
  ...policiesVersionsWords[language].callTrial,
  aside: (aside: PolicyAside): string => formatAside(aside, policiesAsidesWords[language]),
};

/** Choices of a control, from values and their words. */
export const choicesOf = <Value extends string>(words: Record<Value, string>): { value: Value; label: string }[] =>
  (Object.keys(words) as Value[]).map((value) => ({ value, label: words[value] }));
