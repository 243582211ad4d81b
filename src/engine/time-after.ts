import type { Engine } from './engine.ts';

/** The time of now, and later than all of these: clocks of nodes differ, and what belongs together reads in order. */
export const timeAfter = ({ now }: Pick<Engine, 'now'>, ...times: number[]): number =>
  times.reduce((latest, time) => Math.max(latest, time + 1), now());
