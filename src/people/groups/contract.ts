import { z } from 'zod';
import { digest } from '#platform/http/contract/problem';
import type { RouteContract } from '#platform/http/contract/route';
import { Moment } from '#requests/asking/contract/open';
import { changed, WaitingChange } from '../changes/contract.ts';
import { Group, GroupId, UserId } from '../users/contract.ts';

/** Confirmation of a group's members. Times are milliseconds since 1970. */
export interface GroupConfirmation {
  /** Someone confirms them every so many days. */
  days: number;
  /** When they were last confirmed, or when it was first asked for. */
  confirmedAt: number;
  /** Set when the owners were warned: members who are not confirmed by then leave the group. */
  lapsesAt: number | null;
}

export const maxConfirmDays = 730;

const day = 86_400_000;

/** The least time between warning the owners and members leaving: two weeks, or half of a shorter interval. */
const warningTime = (days: number): number => Math.min(14 * day, (days * day) / 2);

/** When they must be confirmed again. */
export const confirmationDue = ({ days, confirmedAt }: GroupConfirmation): number => confirmedAt + days * day;

/**
 * The due step of a confirmation: the owners are warned, with the time at which members leave, or the members leave. No
 * one leaves who was not warned of for the whole warning time, however long no node ran.
 */
export function confirmationStep(
  confirmation: GroupConfirmation,
  now: number,
): { type: 'warn'; lapsesAt: number } | { type: 'lapse' } | null {
  const { days, lapsesAt } = confirmation;
  if (lapsesAt !== null) return lapsesAt <= now ? { type: 'lapse' } : null;
  const due = confirmationDue(confirmation);
  const warning = warningTime(days);
  return due - warning <= now ? { type: 'warn', lapsesAt: Math.max(due, now + warning) } : null;
}

const SetConfirmation = z
  .strictObject({
    days: z.int().min(1).max(maxConfirmDays).nullable().meta({ description: 'Null: no one needs to.' }),
    owners: z.array(UserId).max(50),
  })
  .meta({ id: 'SetConfirmation' });
export type SetConfirmation = z.input<typeof SetConfirmation>;

const ConfirmMembers = z
  .strictObject({
    digest: digest.meta({
      description: 'Of the list that was read: if the members have changed since, no one is confirmed.',
    }),
    remove: z.array(UserId).max(1000).optional().meta({ description: 'Those of the list who leave now.' }),
  })
  .meta({ id: 'ConfirmMembers' });

export const GroupsDue = z
  .object({ groups: z.array(z.object({ id: GroupId, name: z.string(), lapsesAt: Moment })) })
  .meta({ id: 'GroupsDue' });
export type GroupsDue = z.infer<typeof GroupsDue>;

const params = z.object({ id: GroupId });

/** Members of groups that someone confirms every so many days. */
export const groupConfirmationRoutes = {
  setConfirmation: {
    method: 'put',
    path: '/api/groups/{id}/confirmation',
    auth: 'session-or-token',
    permission: 'change-space',
    proof: 'every-factor',
    scope: 'space',
    summary: 'Have the members of a group confirmed every so many days, by these owners first.',
    params,
    body: SetConfirmation,
    success: { 200: changed(Group), 202: WaitingChange },
  },
  confirmMembers: {
    method: 'post',
    path: '/api/groups/{id}/confirmation',
    auth: 'session',
    permission: null,
    proof: 'every-factor',
    summary: 'Confirm exactly the members that were read: for owners of the group, and who may change its members.',
    params,
    body: ConfirmMembers,
    success: { 200: Group },
  },
  listGroupsDue: {
    method: 'get',
    path: '/api/confirmations',
    auth: 'session',
    permission: null,
    summary: 'The groups whose members leave soon unless you confirm them, the next one first.',
    success: { 200: GroupsDue },
  },
} as const satisfies Record<string, RouteContract>;
