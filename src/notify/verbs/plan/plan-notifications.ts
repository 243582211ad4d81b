import { inTurn } from '#platform/crypto/in-turns/in-turns';
import type { Directory } from '#policies/document/rules/directory/directory';
import type { ElicitationId, WebhookId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { OutboxEvent } from '#requests/asking/store/opening/outbox';
import type { NewNotification, PlannedNotice } from '../../store/notification-plans.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { provenRow } from '#requests/state/verbs/proven-row';
import { noticeFacts } from '../plan-notices/notice-facts.ts';
import { createPersonLimiter } from './limit-people.ts';
import type { WantedPlaces } from '../plan-notices/place.ts';
import { inTheirTime, wantedPlaces } from './places.ts';
import { planEvents, planNotices } from '../plan-notices/plan-notices.ts';

type PlanningEngine = Pick<
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

/** Is called with a request whose notifications cannot be planned, and why. */
type OnSetAside = (elicitation: ElicitationId, error: unknown) => void;

/** Milliseconds for which one node plans, unless it goes on. */
const term = 10_000;
/** Requests that are planned in one commit. */
const maxPart = 50;

/**
 * Reads what has changed since the last call, and plans who is told of it. Of all nodes one does; if it dies, another
 * goes on from the same place. Each part is committed by itself, and a request that cannot be planned is set aside.
 */
export function createPlanner(engine: PlanningEngine, node: string, onSetAside: OnSetAside) {
  let hasNews = true; // since the last node stopped
  const limit = createPersonLimiter();
  const read = async (): Promise<boolean> => {
    const { notifications, outbox, now } = engine;
    const hold = (at: number) => notifications.hold(node, at, at + term);
    const from = await hold(now());
    if (from === null) return true; // the other node may die before it has planned
    const events = await outbox.readFrom(from);
    if (events.length === 0) return false;
    const targets = await readTargets(engine);
    let place = from;
    for (const part of parts(events)) {
      const at = now();
      if ((await hold(at)) !== place) return true;
      const planned = limit(await plan(engine, targets, part.ids, { at, onSetAside }), at);
      await notifications.commit({ node, from: place, to: part.to, at, notifications: planned });
      place = part.to;
    }
    return true; // there may be more
  };
  const stop = engine.feed.onChange(() => (hasNews = true));
  return {
    stop,
    /** Plans what is new; false if nothing was. Reads nothing from the database if there is no news. */
    async plan(): Promise<boolean> {
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

interface Part {
  ids: ElicitationId[];
  /** The place of its last event. */
  to: number;
}

/** Cuts events into parts of a bounded number of requests. */
export function parts(events: readonly OutboxEvent[]): Part[] {
  const done: Part[] = [];
  let ids = new Set<ElicitationId>();
  for (const [at, { elicitationId, place }] of events.entries()) {
    ids.add(elicitationId);
    const next = events[at + 1];
    if (next && (ids.size < maxPart || ids.has(next.elicitationId))) continue;
    done.push({ ids: [...ids], to: place });
    ids = new Set();
  }
  return done;
}

interface Targets {
  webhooks: WebhookId[];
  places: WantedPlaces;
}

const readTargets = async (engine: PlanningEngine): Promise<Targets> => ({
  webhooks: (await engine.webhooks.list()).map(({ id }) => id),
  places: await wantedPlaces(engine),
});

async function plan(
  engine: PlanningEngine,
  targets: Targets,
  ids: ElicitationId[],
  { at, onSetAside }: { at: number; onSetAside: OnSetAside },
): Promise<NewNotification[]> {
  if (targets.webhooks.length === 0 && targets.places.size === 0) return []; // no row is read for no one
  const before = await engine.notifications.planned(ids);
  const directory = targets.places.size > 0 ? (await engine.rules.users()).directory : null;
  const notices = await Promise.all(
    ids.map((id) =>
      planRequest(
        engine,
        { ...targets, directory },
        id,
        before.filter(({ elicitationId }) => elicitationId === id),
      ).catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'database-unavailable') throw error;
        onSetAside(id, error);
        return [];
      }),
    ),
  );
  return inTheirTime(engine, notices.flat(), at);
}

async function planRequest(
  engine: PlanningEngine,
  { webhooks, places, directory }: Targets & { directory: Directory | null },
  id: ElicitationId,
  planned: readonly PlannedNotice[],
) {
  const row = await provenRow(engine, id);
  if (!row) return [];
  return inTurn(() => {
    const facts = directory && noticeFacts(engine, directory, row);
    return [...(facts ? planNotices(facts, places, planned) : []), ...planEvents(row, webhooks, planned)];
  });
}
