import type { ApproverGroup } from '#requests/voting/contract/stages';

/** Can these persons fill every seat of these groups, each person one seat? Tried one by one. */
export function fitsSeats([group, ...others]: ApproverGroup[], users: string[]): boolean {
  if (!group) return true;
  const able = users.filter((user) => group.approvers === 'anyone' || group.approvers.includes(user));
  return choices(able, group.approve).some((choices) => {
    const remainings = users.filter((user) => !choices.includes(user));
    return fitsSeats(others, remainings);
  });
}

function choices(from: string[], count: number): string[][] {
  if (count === 0) return [[]];
  return from.flatMap((name, at) => choices(from.slice(at + 1), count - 1).map((more) => [name, ...more]));
}
