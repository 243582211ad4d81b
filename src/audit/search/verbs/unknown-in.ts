import { invalidInput } from '#platform/model/problem/problem';
import type { AskedNames } from '../../entries/store/asked-names.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

type Sought = Parameters<AskedNames['absent']>[0] & { from?: number | undefined };

/**
 * Why an empty answer says nothing: the filters whose value is nothing that was ever there, at the servers that the reader reads
 * about; `from` if the period is still to come, `to` if the log begins later.
 */
export async function unknownIn(
  { askedNames, now }: Pick<Engine, 'askedNames' | 'now'>,
  filter: Sought,
  among: Parameters<AskedNames['absent']>[1],
): Promise<string[]> {
  const isToCome = filter.from !== undefined && filter.from > now();
  return [...(isToCome ? ['from'] : []), ...(await askedNames.absent(filter, among))];
}

/** A file outlives the page that explains it: one that a typing error has emptied is not made. INVALID_INPUT names the filter. */
export function assertKnown([name]: string[]): void {
  if (name !== undefined) throw invalidInput([name], remedies[name] ?? remedy);
}

const remedy = 'Correct this: nothing of this name is in the log where you may read.';
const remedies: Record<string, string> = {
  from: 'Give an earlier time: this one is still to come.',
  to: 'Give a later time: the log begins after this one.',
};
