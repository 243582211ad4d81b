import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { longValues } from '#requests/facts/contract/facts';
import { layOutArguments } from '../../inbox/argument-rows.ts';
import { countHidden, isCutAt, isQuestionCut, maxOnCard } from '../decision-table/card-facts.ts';

/** A part of the request; of a long value, `opens` is what it is opened by. */
interface ReadingPart {
  id: string;
  opens?: string;
}

/** What stands next to the buttons. */
export const cardPart = 'card';
export const reachesPart = 'reaches';
export const argumentsPart = 'arguments';
export const urlPart = 'url';
export const requesterPart = 'requester';
export const questionPart = 'question';
export const valuePart = (pointer: string): string => `value${pointer}`;

/** Everything that has to be on the screen before this can be approved, in the order of the page. */
export function partsToSee(detail: ElicitationDetail): ReadingPart[] {
  const { arguments: json, requester, message, mode, tool } = detail;
  const long = longIn(json).map((pointer) => ({ id: valuePart(pointer), opens: pointer }));
  const parts: [string, boolean][] = [
    [reachesPart, tool.reaches !== null],
    [argumentsPart, long.length > 0 || countHidden(detail) > 0],
    [urlPart, mode === 'url'],
    [requesterPart, isCutAt(requester.subject, maxOnCard.value)],
    [questionPart, isQuestionCut(message)],
  ];
  return [...long, ...parts.filter(([, isNeeded]) => isNeeded).map(([id]) => ({ id }))];
}

/** What has to be opened. Arguments that cannot be laid out are one text. */
export function longIn(json: string): string[] {
  return layOutArguments(json) === null ? [''] : longValues(JSON.parse(json) as Record<string, unknown>);
}
