import { useQuery } from '@tanstack/react-query';
import type { TimelineEntry } from '#requests/inbox/contract/inbox';
import { query } from '../../client/call.ts';
import { Age, When } from '../../ui/Moment.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { Section } from './Section.tsx';
import { history, formatDelivery, formatEvent } from './words/later-words.ts';
import classes from './Timeline.module.css';
import { notificationRoutes, type Delivery } from '#notify/contract/settings';
import type { DeliveryGroup } from './words/spoken.ts';

/** Interval in milliseconds, because a delivery is no event of the inbox. */
const readIntervalMs = 15_000;

/** Events of a request, and its notifications. */
export function Timeline({ of, entries }: { of: string; entries: TimelineEntry[] }) {
  const { data } = useQuery({
    ...query(notificationRoutes.listDeliveries, { params: { id: of } }),
    refetchInterval: readIntervalMs,
  });
  return (
    <Section title={history.title}>
      <ol className={classes.entries}>
        {withDeliveries(entries, data?.deliveries ?? []).map((item, at) => (
          <li key={at} className={classes.entry}>
            <span className={classes.when}>
              <Age at={item.at} />
            </span>
            <div>
              <Item item={item} />
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Item({ item }: { item: TimelineItem }) {
  if ('group' in item)
    return (
      <p>
        <Revealed text={formatDelivery(item.group)} />
      </p>
    );
  const { by, event, comment } = item.entry;
  return (
    <>
      <p>
        <Revealed text={formatEvent(by, event)} />
        {'until' in event && (
          <>
            : <When at={event.until} />
          </>
        )}
      </p>
      {comment !== null && (
        <p className={classes.comment}>
          <Revealed text={comment} />
        </p>
      )}
    </>
  );
}

export type TimelineItem = { at: number } & ({ entry: TimelineEntry } | { group: DeliveryGroup });

/** Milliseconds within which deliveries are grouped. */
const together = 60_000;

/** Events and deliveries in order; an event precedes its deliveries. */
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
