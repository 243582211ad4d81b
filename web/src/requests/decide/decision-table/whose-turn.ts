import type { ShownStage } from '#requests/voting/contract/quorum';
import { formatWaiting } from '../words/format-waiting.ts';
import { reasons } from '../words/words.ts';

/** Who can decide the stage of now; null if none is open, or no one in particular is meant. */
export function formatWhoseTurn(stages: ShownStage[]): string | null {
  const at = stages.findIndex(({ state }) => state === 'current');
  const groups = stages[at]?.groups.filter(({ have, need }) => have < need) ?? [];
  const people = groups.flatMap(({ open }) => open ?? []);
  if (people.length === 0 || groups.some(({ open }) => open === null)) return null;
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return reasons.turn(formatWaiting([...names.values()], 1), at + 1, stages.length);
}
