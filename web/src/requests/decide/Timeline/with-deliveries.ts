import type { Delivery } from '#notify/contract/settings';
import type { TimelineEntry } from '#requests/inbox/contract/inbox';
import type { DeliveryGroup } from '../words/url-facts/delivery-group.ts';

export type TimelineItem = { at: number } & ({ entry: TimelineEntry } | { group: DeliveryGroup });

/** Milliseconds within which deliveries are told as one. */
const together = 60_000;

/** What happened and who was told, in order; what happened stands before what was told of it. */
export const withDeliveries = (entries: readonly TimelineEntry[], deliveries: readonly Delivery[]): TimelineItem[] =>
  [
    ...entries.map((entry) => ({ at: entry.at, entry })),
    ...groupsOf(deliveries).map((group) => ({ at: group.at, group })),
  ].sort((first, second) => first.at - second.at);

function groupsOf(deliveries: readonly Delivery[]): DeliveryGroup[] {
  const groups: DeliveryGroup[] = [];
  for (const { to, ...delivery } of deliveries) {
    const { at, channel, kind, state } = delivery;
    const same = groups.findLast((group) => group.channel === channel && group.kind === kind && group.state === state);
    if (same && at - same.at < together) same.to.push(to);
    else groups.push({ ...delivery, to: [to] });
  }
  return groups;
}
