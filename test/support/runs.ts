/** How often chance is tried: so many times in CI (`CI=true`), a twentieth of them elsewhere. */
export const runs = (full: number): number => (process.env.CI === undefined ? Math.ceil(full / 20) : full);
