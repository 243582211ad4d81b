import { chooseFacts, isStatement, unitOf, verbsOf } from './choose-facts.ts';
import { factText } from '../facts/fact-text.ts';
import { isCollection, maxFacts, type KeyFact } from '../facts/key-fact.ts';
import { minorUnitOf, type MinorUnit } from '../facts/minor-units.ts';
import { follow, readPointer, showStep, writePointer } from '../facts/pointer.ts';

export const factSources = ['policy', 'author', 'rule'] as const;

/** A key fact with the stored value it leads to. */
export interface ShownFact {
  /** As its author calls it; by rule, the path of the value, such as `to.iban` or `"to.iban"`. */
  label: string;
  source: (typeof factSources)[number];
  /** Pointers to everything its value is made of. */
  paths: string[];
  /** The beginning of the stored value; null if the arguments have none, or if it is a list of groups. */
  value: string | null;
  /** How many characters the stored value has. */
  length: number;
  /** How many members a list has. */
  members: number | null;
  /** The SQL verbs in the whole value. */
  verbs: string[];
  /** If an amount is not counted in its currency: in what, and the currency. It never stands next to such a number. */
  minor: { unit: MinorUnit; currency: string | null } | null;
}

/**
 * What is shown next to the buttons: what the policy names, else what the tool's author names, else chosen by rule. An amount
 * always comes with its currency, unless it is counted in a smaller unit.
 */
export function showFacts(
  args: Record<string, unknown>,
  policy: KeyFact[],
  author: KeyFact[],
  most = maxFacts,
): ShownFact[] {
  const source = policy.length > 0 ? 'policy' : 'author';
  const named = policy.length > 0 ? policy : author;
  if (named.length > 0) {
    return named.slice(0, most).map(({ label, path }) => {
      const steps = readPointer(path) ?? [];
      const group = follow(args, steps.slice(0, -1));
      return show(args, { label, source, steps, unit: isCollection(group) ? unitOf(group, steps) : null });
    });
  }
  return chooseFacts(args, most).map((chosen) =>
    show(args, { ...chosen, label: chosen.steps.map(showStep).join('.'), source: 'rule' }),
  );
}

interface Placed extends Pick<ShownFact, 'label' | 'source'> {
  steps: string[];
  unit: string[] | null;
}

/** Longer values are read in full in the arguments. Characters. */
const maxValueLength = 200;

function show(args: Record<string, unknown>, { label, source, steps, unit: currency }: Placed): ShownFact {
  const target = follow(args, steps);
  const minor = isAmount(target) ? minorUnitOf(steps) : null;
  const unit = minor === null ? currency : null;
  const parts = [target, ...(unit === null ? [] : [follow(args, unit)])];
  const text = isShown(target) ? parts.map(factText).join(' ') : null;
  const characters = [...(text ?? '')];
  return {
    label,
    source,
    paths: [steps, ...(currency === null ? [] : [currency])].map(writePointer),
    value: text === null ? null : characters.slice(0, maxValueLength).join(''),
    length: characters.length,
    members: Array.isArray(target) ? target.length : null,
    verbs: isStatement(steps, target) ? verbsOf(target) : [],
    minor: minor && { unit: minor, currency: currency === null ? null : factText(follow(args, currency)) },
  };
}

/** A number, or a text of digits. */
const isAmount = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^[-+]?[\d.,\s]+$/.test(value));

const isShown = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.some(isCollection));
