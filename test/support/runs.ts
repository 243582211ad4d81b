/** How often chance is tried: so many times each night, a tenth of them in CI (`CI=true`), a twentieth elsewhere. */
export function runs(full: number): number {
  if (process.env.NIGHTLY !== undefined) return full;
  return Math.ceil(full / (process.env.CI === undefined ? 20 : 10));
}
