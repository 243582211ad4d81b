import { isMap, isNode, isScalar, isSeq, type Document, type Pair, YAMLMap, type YAMLSeq } from 'yaml';
import type { Edit } from '../StageFields/edit-policy.ts';
import { outcomes, type PolicyParts } from '../policy-parts.ts';

/** Adds a rule: at the end, or before a last one that has no condition and takes all that is left. */
export function addRule({ rules, isList }: PolicyParts, added: object): { edits: Edit[]; at: number } {
  const at = rules.at(-1)?.when === '' ? rules.length - 1 : rules.length;
  return { edits: [...(isList ? [] : [listRules]), [['rules', rules.length], added], moveRule(rules.length, at)], at };
}

/** Puts a rule at another place of the list, with its comments. */
export const moveRule =
  (from: number, to: number): Edit =>
  (document) => {
    const { items } = rulesOf(document);
    items.splice(to, 0, ...items.splice(from, 1));
  };

/** Takes a rule away. One that is left without a condition is the policy's one outcome again. */
export function removeRule({ rules }: PolicyParts, at: number): Edit[] {
  const [left, another] = rules.toSpliced(at, 1);
  const isLast = left !== undefined && another === undefined && left.when === '';
  return [(document) => rulesOf(document).items.splice(at, 1), ...(isLast ? [unlistRules] : [])];
}

/** The outcome of the policy becomes the first rule of its list. */
function listRules(document: Document): void {
  const root = document.contents as YAMLMap;
  const entry = new YAMLMap();
  const at = root.items.findIndex(isOutcome);
  const [outcome] = root.items.splice(at, 1, document.createPair('rules', [entry]) as Pair);
  if (outcome === undefined) return;
  moveComment(outcome.key, entry);
  entry.items.push(outcome);
}

function unlistRules(document: Document): void {
  const root = document.contents as YAMLMap;
  const [entry] = rulesOf(document).items;
  const outcome = isMap(entry) ? entry.items.find(isOutcome) : undefined;
  if (outcome === undefined) return;
  moveComment(entry, outcome.key);
  root.items.splice(
    root.items.findIndex(({ key }) => nameOf(key) === 'rules'),
    1,
    outcome,
  );
}

function rulesOf(document: Document): YAMLSeq {
  const rules = document.get('rules');
  if (!isSeq(rules)) throw new TypeError('the policy has no list of rules');
  // The parser leaves the comment above the first rule with the list.
  if (rules.commentBefore) moveComment(rules, rules.items[0]);
  return rules;
}

const nameOf = (key: unknown): unknown => (isScalar(key) ? key.value : key);
const isOutcome = ({ key }: Pair): boolean => outcomes.some((name) => name === nameOf(key));

/** What stands above a rule. */
function moveComment(from: unknown, to: unknown): void {
  if (!isNode(from) || !isNode(to)) return;
  to.commentBefore = from.commentBefore ?? null;
  to.spaceBefore = from.spaceBefore ?? false;
  from.commentBefore = null;
  from.spaceBefore = false;
}
