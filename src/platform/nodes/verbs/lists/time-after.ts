import type { Engine } from '../engine/engine.ts';

/** The current time, but later than all of these: the clocks of nodes differ, and related times must be in order. */
export const timeAfter = ({ now }: Pick<Engine, 'now'>, ...times: number[]): number =>
  times.reduce((latest, time) => Math.max(latest, time + 1), now());
