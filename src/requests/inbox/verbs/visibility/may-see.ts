import { may } from '#people/directory/contract/permission';
import type { User } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../../state/store/row/row.ts';

/** The parts of a request: that it exists; what it asks and what people said; the answer to its form. */
export type Field = 'notice' | 'content' | 'answer';

/** Facts about this person that are not in the row. */
export interface Visibility {
  /** Is the requester, by a verified subject. */
  isRequester: boolean;
  /** Owns the server that asked. */
  owns: boolean;
  /** Has a vote on it, even one that no longer counts, or has edited it. */
  tookPart: boolean;
  /** Has given a reason to read it within the last hour. */
  looked: boolean;
  mayBreakGlass: boolean;
  /** Watches over requests in the space of the server that asked. */
  watchesInSpace: boolean;
  /** Who has let this person vote for them here. */
  absent: readonly string[];
}

type Watched = Pick<ElicitationRow, 'audience' | 'state'>;

/**
 * May this person see this part of a request? Its content is for the approvers of its stages and their delegates, for
 * those who voted or edited it, for the requester, and for the owner of the server; for administrators and reviewers if they have
 * given a reason, those of a space for the requests of its servers. An answer from the client is only for the person who gave it.
 */
export function maySee(user: User, row: Watched, field: Field, visibility: Visibility): boolean {
  if (field === 'answer' && row.audience === 'requester') return visibility.isRequester;
  if (visibility.isRequester || visibility.owns || visibility.tookPart || row.state.context.breakGlassBy === user.id)
    return true;
  if (may(user, 'decide') && isInStage(row, [user.id, ...visibility.absent])) return true;
  return watchesOver(user, visibility) && (field === 'notice' || visibility.looked);
}

/** People who must be able to find any request: to take care of it, to review it, or to use the emergency override. */
const watchesOver = (user: User, { mayBreakGlass, watchesInSpace }: Visibility): boolean =>
  may(user, 'watch-requests') || mayBreakGlass || watchesInSpace;

const isInStage = ({ state }: Watched, users: string[]): boolean =>
  state.context.stages.some(({ groups }) =>
    groups.some(({ approvers }) => approvers === 'anyone' || users.some((user) => approvers.includes(user))),
  );
