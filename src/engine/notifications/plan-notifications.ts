import { newId } from '../../crypto/random.ts';
import type { ElicitationId } from '../../model/id.ts';
import type { OutboxEvent } from '../../store/elicitation/outbox.ts';
import type { NewNotification, Notice } from '../../store/notifications/notification-plans.ts';
import type { Engine } from '../engine.ts';
import { provenRow } from '../proven-row.ts';
import { dueTime } from './due-time.ts';
import { noticeFacts } from './notice-facts.ts';
import { planNotices } from './plan-notices.ts';

export type PlanningEngine = Pick<Engine, 'notifications' | 'outbox' | 'reader' | 'ring' | 'rules' | 'now'>;

/** Milliseconds for which one node plans, unless it goes on. */
const term = 10_000;
/** Requests whose rows are read at once. */
const together = 50;

/**
 * Reads what has changed since the last call, and plans what people are told of it. Of all nodes one does; if it dies,
 * another goes on from the same place.
 */
export function createPlanner(engine: PlanningEngine, node: string): () => Promise<void> {
  const { notifications, outbox, now } = engine;
  return async () => {
    const at = now();
    const from = await notifications.hold(node, at, at + term);
    if (from === null) return;
    const events = await outbox.readFrom(from);
    const to = events.at(-1)?.place ?? from;
    if (to === from) return;
    const planned = await plan(engine, events, at);
    await notifications.commit({ node, from, to, at, notifications: planned });
  };
}

async function plan(engine: PlanningEngine, events: OutboxEvent[], at: number): Promise<NewNotification[]> {
  const ids = [...new Set(events.map(({ elicitationId }) => elicitationId))];
  const planned: NewNotification[] = [];
  while (ids.length > 0) planned.push(...(await planSome(engine, ids.splice(0, together), at)));
  return planned;
}

async function planSome(engine: PlanningEngine, ids: ElicitationId[], at: number): Promise<NewNotification[]> {
  const before = await engine.notifications.planned(ids);
  const notices = await Promise.all(
    ids.map(async (id) => {
      const row = await provenRow(engine, id);
      const facts = row && (await noticeFacts(engine, row));
      return facts
        ? planNotices(
            facts,
            before.filter(({ elicitationId }) => elicitationId === id),
          )
        : [];
    }),
  );
  return inTheirTime(engine, notices.flat(), at);
}

/** Leaves out those who do not want to be told, and waits for everyone's own time. */
async function inTheirTime(engine: PlanningEngine, notices: Notice[], at: number): Promise<NewNotification[]> {
  const settings = await engine.notifications.settingsOf([...new Set(notices.map(({ target }) => target))]);
  return notices.flatMap((notice) => {
    const wish = settings.get(notice.target);
    return wish?.email ? [{ ...notice, id: newId('notification'), dueAt: dueTime(at, wish) }] : [];
  });
}
