import type { ClauseGroup, Share, ApproverSource } from '#policies/deciding/contract/clause';

/** Is one approval of one certain person needed? */
export const isOnePerson = (need: Share, [source, another]: readonly ApproverSource[]): boolean =>
  'count' in need &&
  need.count === 1 &&
  source !== undefined &&
  another === undefined &&
  ['user', 'manager', 'owner'].includes(source.kind);

/** Must the number of people who decline be told for each group? */
export const deniesPerGroup = (groups: ClauseGroup[]): boolean =>
  groups.length > 1 && groups.some(({ deny }) => deny !== 1);

/** As policies write it: "2026-12-24T00:00:00Z". */
export const moment = (at: number): string => new Date(at).toISOString().replace(/\.000Z$/, 'Z');
