import * as english from '#locales/forms.en';
import type { FieldFault, FieldRule } from '#platform/model/field-fault';

export type FormWords = typeof english;

/** What is wrong with the answer to a field, for the person in front of the form. */
export function formatFault(fault: FieldFault, words: FormWords = english): string {
  switch (fault.code) {
    case 'type':
      return words.faults.type(words.types[fault.expected], words.types[fault.received]);
    case 'format':
      return words.formats[fault.format];
    case 'reason':
      return words.faults.reason(formatReason(fault, words));
    default:
      return 'bound' in fault ? words.faults[fault.code](fault.bound) : words.plain[fault.code];
  }
}

/** What a field allows, said before anything is typed. */
export const formatRule = (rule: FieldRule): string => formatRuleWith(rule, english);

/** What a field allows, in the language of `words`. */
export function formatRuleWith(rule: FieldRule, words: FormWords): string {
  if (!('least' in rule)) return words.rules[rule.code];
  const { least, most } = rule;
  const bounds = words.bounds[rule.code];
  if (least !== null && most !== null) return bounds.between(least, most);
  return most === null ? bounds.least(least ?? 0) : bounds.most(most);
}

/** The rules for a reason, in brackets; nothing if any reason will do. */
export function formatReason(
  { minLength, like }: { minLength: number; like: string | null },
  { reason }: FormWords = english,
): string {
  const rules = [...(minLength > 1 ? [reason.length(minLength)] : []), ...(like === null ? [] : [reason.like(like)])];
  return rules.length === 0 ? '' : ` (${rules.join(', ')})`;
}
