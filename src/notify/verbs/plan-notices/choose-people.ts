import { currentStage } from '#requests/machine/rules/machine/ballots';
import { firstOf } from '#requests/voting/contract/quorum/quorum';
import { builtInPolicy } from '#policies/document/rules/verdict/built-in-policy';
import type { ElicitationRow } from '#requests/state/store/row/row';

/**
 * How many people are told of a stage at once. As many more are told with each reminder and each step of an escalation.
 * A policy may name thousands; everyone who may vote finds the request in the inbox as well.
 */
export const maxNotifiedAtOnce = 25;

interface Asked {
  row: Pick<ElicitationRow, 'id' | 'policy' | 'state'>;
  /** The owner of the server that asked. */
  owner: string | null;
  administrators: readonly string[];
}

export interface NotificationOrder {
  /** Told before the others, and alone if they are enough to decide. */
  first: string[];
  others: string[];
  /** How many must approve. */
  needed: number;
  /** Steps of an escalation that were taken. */
  steps: number;
}

/**
 * Who is told in which order. An escalation turns to the people it brings; a request that no policy covers turns to the
 * owner of its server and to administrators. The others come in an order that differs from request to request, so that
 * the same few are not always told; it begins at a multiple of those told at once, so that the same people are told of
 * many requests together.
 */
export function notificationOrder(
  { row, owner, administrators }: Asked,
  everyone: readonly string[],
): NotificationOrder {
  const stage = currentStage(row.state.context);
  const groups = stage?.groups ?? [];
  const steps = (stage?.escalation?.steps ?? []).filter(({ taken }) => taken === true);
  const inCharge = row.policy === builtInPolicy ? [owner, ...administrators] : [];
  const named = groups.some(({ approvers }) => approvers === 'anyone')
    ? everyone
    : [...new Set(groups.flatMap(({ approvers }) => approvers))];
  return {
    first: [...new Set([...steps.flatMap(({ approvers }) => approvers), ...inCharge])].filter((id) => id !== null),
    others: rotate(named, numberOf(row.id)),
    needed: groups.reduce((sum, { approve }) => sum + approve, 0),
    steps: steps.length,
  };
}

interface Room {
  /** Who was told of the stage before. */
  notified: ReadonlySet<string>;
  /** How many reminders were planned. */
  reminders: number;
  /** Does it concern them, and do they want to be told? */
  canBeNotified(user: string): boolean;
}

/** The next people, in this order, for whom there is room. */
export function choosePeople({ first, others, needed, steps }: NotificationOrder, room: Room): string[] {
  const { notified, reminders, canBeNotified } = room;
  const isNext = (user: string): boolean => !notified.has(user) && canBeNotified(user);
  const max = maxNotifiedAtOnce * (1 + reminders + steps) - notified.size;
  const next = firstOf(first, max, isNext);
  const able = first.filter((user) => notified.has(user)).length + next.length;
  if (able > 0 && able >= needed && reminders === 0) return next;
  return [...next, ...firstOf(others, max - next.length, (user) => !first.includes(user) && isNext(user))];
}

const rotate = (ids: readonly string[], by: number): string[] => {
  const start = maxNotifiedAtOnce * (by % Math.max(1, Math.ceil(ids.length / maxNotifiedAtOnce)));
  return [...ids.slice(start), ...ids.slice(0, start)];
};

/** The same at every node. */
const numberOf = (id: string): number => [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
