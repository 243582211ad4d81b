import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { formatPermission, type Permission } from '../../../people/roles/permission-table.ts';
import { formatWhoseTurn } from './whose-turn.ts';
import { reasons } from '../words/words.ts';

/** Everything on the page that bears on whether a button may be pressed. */
export interface DecisionFacts {
  can: ElicitationDetail['can'];
  stages: ElicitationDetail['stages'];
  /** Parts of the request that were not on the screen yet. */
  unread: number;
  /** Something of the card was not: its sheet scrolls where text is large or the screen is low. */
  isCardUnseen: boolean;
  /** The request changed under the reader, who has not said that the new one was read. */
  isChanged: boolean;
  /** Of the time that must be left for reading. */
  secondsLeft: number;
  /** Of the pause of a person who approves too fast. */
  pauseLeft: number;
  /** This person casts the vote of someone who handed it over; the server has said that this counts. */
  isForAbsent: boolean;
  isSending: boolean;
}

/** What ends or counts; the rest is no decision. */
export type Verb = 'approve' | 'decline' | 'cancel';
type Step = Verb | Exclude<keyof ElicitationDetail['can'], 'vote' | 'cancel'>;

/** The one table of what may be pressed, and why not. The server decides again by itself. */
export function mayDecide(facts: DecisionFacts): Record<Step, Permission> {
  const { unread, isCardUnseen, isChanged, secondsLeft, pauseLeft, isForAbsent } = facts;
  const can = formatAll(facts);
  const read = isChanged ? refuse(reasons.changed) : allow;
  const opened = unread > 0 ? refuse(reasons.unread) : allow;
  const shown = isCardUnseen ? refuse(reasons.unread) : opened;
  const waited = secondsLeft > 0 ? refuse(reasons.readFirst(secondsLeft)) : allow;
  const rested = pauseLeft > 0 ? refuse(reasons.pauseFirst(roundedPause(pauseLeft))) : allow;
  const vote = isForAbsent ? allow : can.vote;
  const anyTime = (permission: Permission) => firstRefusal(permission, sending(facts));
  const onceRead = (permission: Permission) => firstRefusal(permission, sending(facts), read);
  return {
    approve: firstRefusal(vote, sending(facts), rested, read, shown, waited),
    decline: onceRead(vote),
    cancel: onceRead(can.cancel),
    extend: anyTime(can.extend),
    withdrawVote: anyTime(can.withdrawVote),
    revoke: anyTime(can.revoke),
    edit: onceRead(can.edit),
    addApprover: onceRead(can.addApprover),
    watch: anyTime(can.watch),
    comment: anyTime(can.comment),
    inquire: onceRead(can.inquire),
    postpone: onceRead(can.postpone),
    breakGlass: firstRefusal(can.breakGlass, sending(facts), read, opened, waited),
    reviewBreakGlass: anyTime(can.reviewBreakGlass),
    reviewLookBack: anyTime(can.reviewLookBack),
  };
}

/** Milliseconds; a pause of more than 90 seconds is said in minutes. */
const roundedPause = (seconds: number): number => (seconds > 90 ? Math.ceil(seconds / 60) * 60_000 : seconds * 1000);
const allow: Permission = { allowed: true, reason: null };
const refuse = (reason: string): Permission => ({ allowed: false, reason });
const sending = ({ isSending }: DecisionFacts): Permission => (isSending ? refuse(reasons.sending) : allow);
const firstRefusal = (...permissions: Permission[]): Permission => permissions.find(({ allowed }) => !allowed) ?? allow;

const formatAll = ({ can, stages }: DecisionFacts) =>
  Object.fromEntries(Object.entries(can).map(([verb, permission]) => [verb, formatWhy(permission, stages)])) as Record<
    keyof ElicitationDetail['can'],
    Permission
  >;

/** If others must decide first, it names them. */
function formatWhy(permission: ElicitationDetail['can']['vote'], stages: ElicitationDetail['stages']): Permission {
  const turn = permission.refusal === 'other-stage' ? formatWhoseTurn(stages) : null;
  return turn === null ? formatPermission(permission) : refuse(turn);
}
