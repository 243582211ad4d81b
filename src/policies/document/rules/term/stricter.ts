/** Ways in which two values of a term become one; null says nothing. */
export const shorter = (first: number | null, other: number | null): number | null =>
  first === null || other === null ? (first ?? other) : Math.min(first, other);

export const longer = (first: number | null, other: number | null): number | null =>
  first === null || other === null ? (first ?? other) : Math.max(first, other);

/** All rules hold. */
export const allOf = <T>(first: T[], other: T[]): T[] => [...first, ...other];

/** For what makes no request stricter: that of the policy that decides. */
export const ofFirst = <T>(first: T): T => first;

/** For what a policy permits under its own conditions only. */
export const neither = (): null => null;
