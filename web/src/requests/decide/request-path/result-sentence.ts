import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { describeTimeOfDay } from '../../../ui/relative-time.ts';
import type { Verb } from '../decision-table/decision-table.ts';
import { phases } from './request-path.ts';
import { result } from '../words/words.ts';

/** What the person's own step did, by what the request is now. */
export function resultSentence(
  verb: Verb,
  { status, phase, progress, settlesAt, timeline }: ElicitationDetail,
): string {
  if (verb === 'cancel') return result.cancelled;
  if (verb === 'decline') return status === 'declined' ? result.declined : result.declineCounted;
  const started = timeline.findLast(({ event }) => event.type === 'call.claimed' || event.type === 'call.released');
  if (status === 'accepted')
    return started?.event.type === 'call.claimed' ? result.started(describeTimeOfDay(started.at)) : result.approved;
  if (status !== 'open') return result.approvalCounted;
  if (phase === phases.scheduled && settlesAt !== null) return result.settling;
  return phase === phases.scheduled || progress === null ? result.scheduled : result.counted(progress);
}
