import type { CastVote, ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { FormContent } from '#platform/form/answer';
import type { Verb } from '../decision-table/decision-table.ts';

interface Decision {
  verb: Exclude<Verb, 'cancel'>;
  comment: string;
  content: FormContent;
  /** The absent person whose vote it is, if it is not one's own. */
  for: string | undefined;
  /** Milliseconds that the approval may stand for; null is this once. */
  allowFor: number | null;
  /** The proof of when it was shown, if the server asks for one. */
  shown: string | null;
  /** Pointers to the long values that were opened and seen to their end. */
  opened: string[];
  /** What the policy has approvers type. */
  typed: string[];
}

/** The vote as the server takes it: on what was seen, with what was filled in only if it approves. */
export function voteBody(
  { digest, mode }: Pick<ElicitationDetail, 'digest' | 'mode'>,
  { verb, comment, content, for: absent, allowFor, shown, opened, typed }: Decision,
): CastVote {
  const reason = comment.trim();
  const body = { digest, ...(reason !== '' && { comment: reason }), ...(absent !== undefined && { for: absent }) };
  if (verb === 'decline') return { ...body, action: 'decline' };
  return {
    ...body,
    action: 'accept',
    ...(mode === 'form' && { content }),
    ...(allowFor !== null && { allowFor }),
    ...(shown !== null && { shown }),
    ...(opened.length > 0 && { opened }),
    ...(typed.length > 0 && { typed }),
  };
}
