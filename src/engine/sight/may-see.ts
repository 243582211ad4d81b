import { mayVote, type User } from '../../model/user.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';

/** What there is to see of a request: that it is there; what it asks and what people said; what its form was answered with. */
export type Field = 'notice' | 'content' | 'answer';

/** What a row does not say by itself about this person. */
export interface Sight {
  /** Has asked it, by a subject that was verified. */
  asked: boolean;
  /** Owns the server that asked. */
  owns: boolean;
  /** Stands in a vote on it, also in one that no longer counts. */
  voted: boolean;
  /** Has said within the last hour why they look at it. */
  looked: boolean;
  mayBreakGlass: boolean;
  /** Who has let this person vote for them here. */
  absent: readonly string[];
}

type Watched = Pick<ElicitationRow, 'audience' | 'state'>;

/**
 * May this person see this of a request? Its content is for the voters of its stages and their delegates, for those who
 * voted, for who asked, and for the owner of the server; for those who watch over requests if they have said why. What
 * the person at the client answered is for that person alone.
 */
export function maySee({ id, role }: User, row: Watched, field: Field, sight: Sight): boolean {
  if (field === 'answer' && row.audience === 'requester') return sight.asked;
  if (sight.asked || sight.owns || sight.voted || row.state.context.breakGlassBy === id) return true;
  if (mayVote(role) && isInStage(row, [id, ...sight.absent])) return true;
  return watchesOver(role, sight) && (field === 'notice' || sight.looked);
}

/** Who must find any request: to look after it, to review it, or to pass its policy in an emergency. */
const watchesOver = (role: User['role'], { mayBreakGlass }: Sight): boolean => role !== 'approver' || mayBreakGlass;

const isInStage = ({ state }: Watched, users: string[]): boolean =>
  state.context.stages.some(({ groups }) =>
    groups.some(({ approvers }) => approvers === 'anyone' || users.some((user) => approvers.includes(user))),
  );
