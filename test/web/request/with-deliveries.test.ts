import { expect, test } from '@jest/globals';
import type { Delivery } from '#notify/contract/settings';
import type { TimelineEntry } from '#requests/inbox/contract/inbox';
import { withDeliveries, type TimelineItem } from '../../../web/src/requests/decide/Timeline.tsx';
import { formatDelivery } from '../../../web/src/requests/decide/words/later-words.ts';

const opened = (at: number): TimelineEntry => ({
  at,
  by: { kind: 'server', name: 'payments' },
  event: { type: 'elicitation.opened' },
  comment: null,
});
const deliver = (at: number, to: string | null, over: Partial<Delivery> = {}): Delivery => ({
  at,
  channel: 'email',
  kind: 'turn',
  state: 'sent',
  to,
  ...over,
});
const say = (item: TimelineItem): string => ('group' in item ? formatDelivery(item.group) : item.entry.event.type);

test('the same thing told to many at about the same time is one line, after what happened', () => {
  const deliveries = [
    deliver(1000, 'Ada'),
    deliver(1000, null, { channel: 'push' }),
    deliver(30_000, 'Bob'),
    deliver(90_000, 'Cleo'),
    deliver(95_000, 'Dan', { state: 'failed' }),
    deliver(96_000, null, { channel: 'webhook', kind: 'outcome' }),
  ];
  expect(withDeliveries([opened(1000), opened(80_000)], deliveries).map(say)).toEqual([
    'elicitation.opened',
    'Assentry notified Ada and Bob by email: a decision is needed',
    'Assentry notified someone in the browser: a decision is needed',
    'elicitation.opened',
    'Assentry notified Cleo by email: a decision is needed',
    'Assentry couldn’t notify Dan by email and gave up: a decision is needed',
    'Assentry notified a receiver that was removed by webhook: how it ended',
  ]);
});
