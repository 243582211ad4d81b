import type { Goal } from '../goals.ts';
import type { SizeCost } from './size-cost.ts';

/** What a large installation may cost. */
export function judgeSize({ cpu, verbs, lists, flood, worst }: SizeCost): Goal[] {
  const opening = cpu.find(({ what }) => what === 'opening');
  const ratio = opening ? opening.full / opening.empty : Number.NaN;
  const adding = verbs.find(({ what }) => what === 'group add')?.full ?? Number.NaN;
  const slowest = lists.reduce((most, { cpu: spent }) => Math.max(most, spent), 0);
  const slowestPage = Math.max(worst.list, ...worst.kinds.flatMap(({ opening, page }) => [opening, page]));
  return [
    { name: 'an opening next to the empty installation', bound: 1.5, measured: ratio, isMet: ratio <= 1.5 },
    { name: 'group add in ms', bound: 100, measured: adding, isMet: adding < 100 },
    { name: 'CPU of a list in ms', bound: 150, measured: slowest, isMet: slowest < 150 },
    { name: 'a flood planned, in seconds', bound: 60, measured: flood.planned, isMet: flood.planned < 60 },
    { name: 'a webhook meanwhile, in ms', bound: 2000, measured: flood.webhook.most, isMet: flood.webhook.most < 2000 },
    { name: 'entries of a request', bound: 6, measured: flood.entries, isMet: flood.entries <= 6 },
    {
      name: 'CPU of a page or list of the worst arguments, in ms',
      bound: 300,
      measured: slowestPage,
      isMet: slowestPage < 300,
    },
    {
      name: 'memory of the node in MB, at most',
      bound: 400,
      measured: flood.memory / 1e6,
      isMet: flood.memory < 400e6,
    },
  ];
}
