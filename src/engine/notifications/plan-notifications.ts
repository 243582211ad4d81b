import type { ElicitationId, WebhookId } from '../../model/id.ts';
import type { OutboxEvent } from '../../store/elicitation/outbox.ts';
import type { NewNotification } from '../../store/notifications/notification-plans.ts';
import type { Engine } from '../engine.ts';
import { provenRow } from '../proven-row.ts';
import { noticeFacts } from './notice-facts.ts';
import { inTheirTime, placesOf } from './places.ts';
import { planEvents, planNotices, type Place } from './plan-notices.ts';

export type PlanningEngine = Pick<
  Engine,
  | 'notifications'
  | 'webhooks'
  | 'devices'
  | 'outbox'
  | 'feed'
  | 'reader'
  | 'ring'
  | 'rules'
  | 'environment'
  | 'now'
  | 'sendsMails'
>;

export interface Planner {
  /** Plans what is new, and says if there was something. Asks the database nothing if there is no news. */
  plan(): Promise<boolean>;
  stop(): void;
}

/** Milliseconds for which one node plans, unless it goes on. */
const term = 10_000;
/** Requests whose rows are read at once. */
const together = 50;

/**
 * Reads what has changed since the last call, and plans who is told of it. Of all nodes one does; if it dies, another
 * goes on from the same place.
 */
export function createPlanner(engine: PlanningEngine, node: string): Planner {
  let hasNews = true; // since the last node stopped
  const read = async (): Promise<boolean> => {
    const { notifications, outbox, now } = engine;
    const at = now();
    const from = await notifications.hold(node, at, at + term);
    if (from === null) return true; // the other node may die before it has planned
    const events = await outbox.readFrom(from);
    const to = events.at(-1)?.place ?? from;
    if (to === from) return false;
    await notifications.commit({ node, from, to, at, notifications: await plan(engine, events, at) });
    return true; // there may be more
  };
  const stop = engine.feed.onChange(() => (hasNews = true));
  return {
    stop,
    async plan() {
      if (!hasNews) return false;
      hasNews = false; // what comes during the reading asks for another one
      const isUnread = await read().catch((error: unknown) => {
        hasNews = true;
        throw error;
      });
      hasNews ||= isUnread;
      return isUnread;
    },
  };
}

async function plan(engine: PlanningEngine, events: OutboxEvent[], at: number): Promise<NewNotification[]> {
  const targets = { webhooks: (await engine.webhooks.list()).map(({ id }) => id), places: await placesOf(engine) };
  if (targets.webhooks.length === 0 && targets.places.length === 0) return []; // no row is read for no one
  const ids = [...new Set(events.map(({ elicitationId }) => elicitationId))];
  const planned: NewNotification[] = [];
  while (ids.length > 0) planned.push(...(await planSome(engine, targets, ids.splice(0, together), at)));
  return planned;
}

async function planSome(
  engine: PlanningEngine,
  { webhooks, places }: { webhooks: WebhookId[]; places: Place[] },
  ids: ElicitationId[],
  at: number,
): Promise<NewNotification[]> {
  const before = await engine.notifications.planned(ids);
  const notices = await Promise.all(
    ids.map(async (id) => {
      const row = await provenRow(engine, id);
      const planned = before.filter(({ elicitationId }) => elicitationId === id);
      const facts = row && places.length > 0 ? await noticeFacts(engine, row) : null;
      return [
        ...(facts ? planNotices(facts, places, planned) : []),
        ...(row ? planEvents(row, webhooks, planned) : []),
      ];
    }),
  );
  return inTheirTime(engine, notices.flat(), at);
}
