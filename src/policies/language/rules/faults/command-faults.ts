import { compileCondition } from '../expression/expression.ts';
import type { PolicyDocument } from '../../../document/rules/document/policy-document.ts';
import type { Fault } from './schema-faults.ts';

/**
 * What a new version may not say of shell commands: it allows none by their beginning, or by a part of them. Versions that
 * were published before it was known keep what they say.
 */
export function commandFaults({ when, rules }: PolicyDocument): Fault[] {
  const isAlone = rules.length === 1 && rules[0]?.when === null;
  const allowing = rules.flatMap((entry, at) => (entry.rule.outcome === 'allow' ? [{ when: entry.when, at }] : []));
  if (allowing.length === 0) return [];
  return [
    ...faultsIn(when, ['when']),
    ...allowing.flatMap((entry) => faultsIn(entry.when, isAlone ? ['when'] : ['rules', entry.at, 'when'])),
  ];
}

function faultsIn(text: string | null, path: Fault['path']): Fault[] {
  const compiled = text === null ? null : compileCondition(text, 'request');
  if (!compiled?.ok || compiled.condition.ofCommand === null) return [];
  const { message, offset } = compiled.condition.ofCommand;
  return [{ path, message, within: offset }];
}
