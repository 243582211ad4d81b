import { drawFrom } from './draw.ts';

/** Whether this run tries every case of each matrix: `npm run test:nightly`. */
export const isNight = process.env.NIGHTLY !== undefined;

/** The day whose samples are drawn. `jest.config.mjs` sets it, and a failed file prints it. */
const day = Number(process.env.TEST_DAY ?? 0);

/** How often chance is tried: so many times each night, a twentieth of them by day. */
export const runs = (full: number): number => (isNight ? full : Math.ceil(full / 20));

/** The seed of this day for the sample of this name. */
export function seedOf(name: string): number {
  let seed = day + 1;
  for (const character of name) seed = (seed * 31 + character.charCodeAt(0)) % 2_147_483_647;
  return seed;
}

interface Size<T> {
  /** The number of cases by day, or more if the values need more. */
  least?: number;
  /** The values of a case that must each be in the sample. */
  values?: (item: T) => readonly string[];
}

/** All cases by night; by day a sample in their order, another one each day. */
export function drawn<T>(name: string, cases: readonly T[], { least = 0, values = () => [] }: Size<T>): T[] {
  if (isNight) return [...cases];
  const draw = drawFrom(seedOf(name));
  const shuffled = cases.map((_, at) => ({ at, rank: draw() })).toSorted((a, b) => a.rank - b.rank);
  const [had, chosen] = [new Set<string>(), new Set<number>()];
  for (const { at } of shuffled) {
    const news = values(cases[at] as T).filter((value) => !had.has(value));
    if (news.length > 0) chosen.add(at);
    for (const value of news) had.add(value);
  }
  for (const { at } of shuffled) if (chosen.size < least) chosen.add(at);
  return cases.filter((_, at) => chosen.has(at));
}

/** The values of a case and each pair of them, so that a sample tries each value with each other one. */
export const pairsIn = (...texts: string[]): string[] =>
  texts.flatMap((text, at) => texts.slice(at + 1).map((other) => `${at} ${text}, ${other}`));
