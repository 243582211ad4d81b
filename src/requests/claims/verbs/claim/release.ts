import type { KeyRing } from '#platform/crypto/key-ring';
import type { Status } from '../../../asking/contract/elicitation.ts';
import { Problem } from '#platform/model/problem';
import type { Run } from '#platform/model/hashed-text';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { descriptionOf, runDigest, runOf } from '../../../asking/verbs/question/question-digest.ts';
import { openQuestion } from '../../../asking/verbs/question/sealed-question.ts';

type Asked = Pick<ElicitationRow, 'audience' | 'status'>;

/**
 * What the questions of a call amount to: `accepted` releases its execution, `open` may still do so, and any other
 * state never will. Approvers must have accepted all their questions; of the requester's, one acceptance is enough.
 */
export function releaseOf(rows: readonly Asked[]): Status {
  const approverStatuses = rows.filter(({ audience }) => audience === 'approvers').map(({ status }) => status);
  const refusal = approverStatuses.find((status) => status !== 'open' && status !== 'accepted');
  if (refusal) return refusal;
  const statuses = rows.map(({ status }) => status);
  if (approverStatuses.includes('open')) return 'open';
  if (statuses.includes('accepted')) return 'accepted';
  return statuses.includes('open') ? 'open' : (statuses.at(-1) ?? 'open');
}

/** No question or claim can release this execution any more. */
export const isDead = (release: Status): boolean => release !== 'open' && release !== 'accepted';

/** Why an ended call releases nothing. */
export const deadCall = (release: Status): Problem =>
  new Problem('already-closed', {
    detail: `Ask again: this request was ${ends[release] ?? 'ended'}, so nothing may run.`,
  });

const ends: Partial<Record<Status, string>> = {
  declined: 'declined',
  cancelled: 'withdrawn',
  expired: 'not answered in time and has expired',
};

/** Is this the digest of the run that people accepted? */
export function isApproved(ring: KeyRing, rows: readonly ElicitationRow[], digest: string): boolean {
  const acceptedRows = rows.filter(({ status }) => status === 'accepted');
  const questions = acceptedRows.length > 0 ? acceptedRows : rows.slice(0, 1);
  const edited = acceptedRows.findLast(({ revision }) => revision > 1);
  const approved = edited && runOfRow(ring, edited).arguments;
  return questions.every((row) => {
    const question = openQuestion(ring, row);
    const run = runOf(row.tool, question);
    // Approvers may edit what the requester was asked about, but not what other approvers have approved.
    const isAmended = row.audience === 'requester' && approved !== undefined;
    const accepted = isAmended ? { ...run, arguments: approved } : run;
    // A question may be from before the description was part of its run; its claim may have it all the same.
    return [accepted, { ...accepted, ...descriptionOf(question) }].some((candidate) => runDigest(candidate) === digest);
  });
}

const runOfRow = (ring: KeyRing, row: ElicitationRow): Run => runOf(row.tool, openQuestion(ring, row));
