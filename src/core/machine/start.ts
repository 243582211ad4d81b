import type { ElicitationContext } from './context.ts';

/** When an approved call may start: not before its own start, nor while the approval can be taken back. */
export const startOf = ({ notBefore, settlesAt }: ElicitationContext): number =>
  Math.max(notBefore ?? 0, settlesAt ?? 0);

/** A complete approval can be taken back for a while, which never lasts until the deadline: it would expire. */
export const settle = ({ undo, now, deadlineAt }: ElicitationContext): Pick<ElicitationContext, 'settlesAt'> =>
  undo ? { settlesAt: Math.min(now + undo, deadlineAt - 1) } : {};
