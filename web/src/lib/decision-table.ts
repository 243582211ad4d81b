import type { ElicitationDetail, Permission } from '../../../src/contract/console.ts';

/** Everything on the page that bears on whether a button may be pressed. */
export interface DecisionFacts {
  can: Pick<ElicitationDetail['can'], 'vote' | 'cancel' | 'extend'>;
  /** Long values of the arguments that were not opened yet. */
  unopened: number;
  /** The request changed under the reader, who has not said that the new one was read. */
  isChanged: boolean;
  isSending: boolean;
}

/** What ends or counts; moving the deadline is no decision. */
export type Verb = 'approve' | 'decline' | 'cancel';
export type Step = Verb | 'extend';

/** The one table of what may be pressed, and why not. The server decides again, by its own. */
export function mayDecide(facts: DecisionFacts): Record<Step, Permission> {
  const { can, unopened, isChanged } = facts;
  const unread = isChanged ? refuse(reasons.changed) : unopened > 0 ? refuse(reasons.unopened(unopened)) : allow;
  return {
    approve: firstRefusal(can.vote, sending(facts), unread),
    decline: firstRefusal(can.vote, sending(facts), isChanged ? refuse(reasons.changed) : allow),
    cancel: firstRefusal(can.cancel, sending(facts), isChanged ? refuse(reasons.changed) : allow),
    extend: firstRefusal(can.extend, sending(facts)),
  };
}

const reasons = {
  changed: 'The request changed. Read the new version, then confirm that you did.',
  unopened: (count: number) =>
    count === 1 ? 'Open the long value above before you approve.' : `Open the ${count} long values above first.`,
  sending: 'Your last step is still on its way.',
};

const allow: Permission = { allowed: true, reason: null };
const refuse = (reason: string): Permission => ({ allowed: false, reason });
const sending = ({ isSending }: DecisionFacts): Permission => (isSending ? refuse(reasons.sending) : allow);
const firstRefusal = (...permissions: Permission[]): Permission => permissions.find(({ allowed }) => !allowed) ?? allow;
