import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { Comparison } from '#requests/inbox/contract/inbox';
import { factText } from '#requests/facts/contract/facts';
import { isCollection } from '#requests/facts/contract/facts';
import { follow, readPointer } from '#requests/facts/contract/facts';
import { layOutArguments } from '../../inbox/argument-rows.ts';
import { firstLineOf } from '../../inbox/first-line.ts';

/** Characters. What is cut is marked, and has to be on the screen in full before anyone approves. */
export const maxOnCard = { question: 140, value: 56, label: 40 };

export type Fact = ElicitationDetail['facts'][number];

export const isCutAt = (text: string, most: number): boolean => Array.from(text).length > most;

/** The whole stored value of a fact, with its currency: the answer of the server holds only its beginning. */
export function wholeFact({ paths, value, minor }: Fact, json: string): string | null {
  if (value === null) return null;
  const args: unknown = JSON.parse(json);
  return (minor === null ? paths : paths.slice(0, 1))
    .map((path) => factText(follow(args, readPointer(path) ?? [])))
    .join(' ');
}

/** Is it a number in the arguments, and no text of digits such as a telephone number? */
export const isNumberFact = ({ paths: [path = ''] }: Fact, json: string): boolean =>
  typeof follow(JSON.parse(json), readPointer(path) ?? []) === 'number';

type Differences = Comparison['differences'];

/** What a fact was in the last approved call: undefined if it did not change or was a group, null if it had none. */
export function factBefore({ paths, minor }: Fact, json: string, differences: Differences): string | null | undefined {
  const changes = paths.map((path) => differences.find(({ pointer }) => pointer === path));
  if (changes.every((change) => change === undefined)) return undefined;
  const args: unknown = JSON.parse(json);
  const parts = paths.map((path, at) => {
    const change = changes[at];
    return change === undefined ? follow(args, readPointer(path) ?? []) : change.before;
  });
  const [value] = parts;
  if (value === undefined) return null;
  if (isCollection(value)) return undefined;
  const shown = minor === null ? parts : parts.slice(0, 1);
  return shown
    .filter((part) => part !== undefined)
    .map(factText)
    .join(' ');
}

/** How many values of the arguments the card does not show in full; infinite if they cannot be laid out. */
export function countHidden({ facts, arguments: json }: Pick<ElicitationDetail, 'facts' | 'arguments'>): number {
  const rows = layOutArguments(json);
  if (rows === null) return Infinity;
  const isWhole = (fact: Fact) => {
    const text = wholeFact(fact, json);
    return text !== null && !isCutAt(text, maxOnCard.value) && !isCutAt(fact.label, maxOnCard.label);
  };
  const shown = facts.filter(isWhole).flatMap(({ paths }) => paths);
  const isShown = (pointer: string) => shown.some((path) => pointer === path || pointer.startsWith(`${path}/`));
  const leaves = rows.filter(({ kind, value }) => (kind !== 'group' && kind !== 'list') || value === '0');
  return leaves.filter(({ pointer }) => !isShown(pointer)).length;
}

/** What of the question is left to the page: its further lines, or its end. */
export const isQuestionCut = (message: string): boolean =>
  firstLineOf(message) !== message.trim() || isCutAt(firstLineOf(message), maxOnCard.question);
