import type { ElicitationDetail } from '#requests/inbox/contract/inbox';

const parts = ['arguments', 'message', 'reason', 'schema', 'url', 'tool', 'requester', 'server', 'policy'] as const;

export type Part = (typeof parts)[number];

/** Parts of a request that changed since it was read. */
export const changedParts = (read: ElicitationDetail, now: ElicitationDetail): Part[] =>
  parts.filter((part) => JSON.stringify(read[part]) !== JSON.stringify(now[part]));
