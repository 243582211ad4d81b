/** All accounts of the natural person who has this one, in the order of ids; those who have one account are absent. */
export type Accounts = ReadonlyMap<string, readonly string[]>;

/** What two accounts of one person are linked by; links join into one person. */
export function accountsFrom(links: Iterable<readonly [string, string]>): Accounts {
  const accounts = new Map<string, string[]>();
  for (const [first, other] of links) {
    const [of, joined] = [accounts.get(first) ?? [first], accounts.get(other) ?? [other]];
    if (of === joined) continue;
    const [larger, smaller] = of.length < joined.length ? [joined, of] : [of, joined]; // so that thousands take no minute
    larger.push(...smaller);
    for (const id of [first, other, ...smaller]) accounts.set(id, larger);
  }
  for (const all of new Set(accounts.values())) all.sort();
  return accounts;
}

/** These people under every account they have. */
export const everyAccount = (accounts: Accounts | undefined, ids: Iterable<string>): string[] => [
  ...new Set([...ids].flatMap((id) => accounts?.get(id) ?? [id])),
];

/** The one id that stands for a natural person. */
export const personOf = (accounts: Accounts | undefined, id: string): string => accounts?.get(id)?.[0] ?? id;
