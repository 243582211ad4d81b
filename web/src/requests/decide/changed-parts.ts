import type { ElicitationDetail } from '#requests/inbox/contract/inbox';

const parts = ['arguments', 'message', 'reason', 'schema', 'url', 'tool', 'requester', 'server', 'policy'] as const;

export type Part = (typeof parts)[number];

/** Which parts of a request differ between what was read and what it is now. */
export const changedParts = (read: ElicitationDetail, now: ElicitationDetail): Part[] =>
  parts.filter((part) => JSON.stringify(read[part]) !== JSON.stringify(now[part]));
