/** How often chance is tried: so many times in CI (`CI=true`), a quarter of them elsewhere. */
export const runs = (full: number): number => (process.env.CI === undefined ? Math.ceil(full / 4) : full);
