import type { UsableTimes } from './cost/usable-times.ts';
import type { Measurements } from './measurements.ts';

export interface Goal {
  name: string;
  /** The bound, and what was measured, in the same unit. */
  bound: number;
  measured: number;
  isMet: boolean;
}

/** What the design promises of speed and size. */
export function judgeGoals({
  lifecycles,
  steadyLoad,
  memory,
  matching,
  lists,
  gateway,
  idle,
  log,
  overload,
  consoles,
}: Measurements): Goal[] {
  const [stdio, http] = [gateway.stdio.added, gateway.http.added];
  const { allowed } = gateway.load;
  const megabytes = gateway.weight.memory / 1e6;
  const begun = gateway.weight.start.wrapped - gateway.weight.start.direct;
  const swollen = allowed.memory.second / allowed.memory.first;
  const busiest = lifecycles.at(-1);
  const ratio = busiest?.ratio ?? Number.NaN;
  const slowest = Math.max(steadyLoad.sameNode.p99, steadyLoad.otherNode.p99);
  const weight = Math.max(memory.stream.rss, memory.stream.heap);
  const longest = Math.max(...lists.lists.map(({ milliseconds }) => milliseconds));
  const { first, second } = log.export.memory;
  const growth = second / first;
  const slowestSearch = Math.max(...log.searches.map(({ milliseconds }) => milliseconds));
  const proof = log.proof.p99;
  const reached = consoles.reached.most;
  const shown = consoles.postgres ?? Number.NaN;
  return [
    { name: 'share of the bare SQL rate', bound: 0.5, measured: ratio, isMet: ratio >= 0.5 },
    { name: 'vote to resume, p99 in ms', bound: 25, measured: slowest, isMet: slowest < 25 },
    { name: 'bytes per held call', bound: 8192, measured: weight, isMet: weight < 8192 },
    { name: 'decisions per second', bound: 1000, measured: matching.perSecond, isMet: matching.perSecond >= 1000 },
    { name: 'a page of a list in ms', bound: 100, measured: longest, isMet: longest < 100 },
    { name: 'a search of the log in ms', bound: 300, measured: slowestSearch, isMet: slowestSearch < 300 },
    { name: 'proof of an entry, p99 in ms', bound: 50, measured: proof, isMet: proof < 50 },
    { name: 'memory of the second half of an export', bound: 1.5, measured: growth, isMet: growth < 1.5 },
    { name: 'statements of an idle node', bound: 1, measured: idle.statements, isMet: idle.statements <= 1 },
    { name: 'gateway, p50 in ms', bound: 1, measured: stdio.p50, isMet: stdio.p50 < 1 },
    { name: 'gateway, p99 in ms', bound: 5, measured: stdio.p99, isMet: stdio.p99 < 5 },
    { name: 'gateway over HTTP, p50 in ms', bound: 2, measured: http.p50, isMet: http.p50 < 2 },
    { name: 'gateway, calls per second', bound: 1000, measured: allowed.perSecond, isMet: allowed.perSecond >= 1000 },
    { name: 'gateway, memory of the second half of calls', bound: 1.2, measured: swollen, isMet: swollen < 1.2 },
    { name: 'memory of a wrapped server, in MB', bound: 45, measured: megabytes, isMet: megabytes < 45 },
    { name: 'start of a wrapped server, in ms', bound: 150, measured: begun, isMet: begun < 150 },
    { name: 'a change in the last console, in ms', bound: 250, measured: reached, isMet: reached < 250 },
    { name: 'CPU of PostgreSQL for it, in ms', bound: 20, measured: shown, isMet: shown < 20 },
    {
      name: 'opened under overload, p99 in ms',
      bound: 2000,
      measured: overload.opened.p99,
      isMet: overload.opened.p99 < 2000,
    },
    {
      name: 'readiness under overload, p99 in ms',
      bound: 100,
      measured: overload.ready.p99,
      isMet: overload.ready.p99 < 100,
    },
  ];
}

/** What a phone on a slow network may take, and how a list of any length scrolls: 60 frames a second. */
export function judgeUsable({ signIn, inbox, request, scrolling }: UsableTimes): Goal[] {
  const pages = { 'sign-in': signIn, inbox, 'request by a link': request };
  const bounds = { 'sign-in': 1200, inbox: 2000, 'request by a link': 1500 };
  const atMost = (name: string, bound: number, measured: number): Goal => {
    return { name, bound, measured, isMet: measured <= bound };
  };
  return [
    ...Object.entries(pages).map(([name, { milliseconds }]) =>
      atMost(`${name} in ms`, bounds[name as keyof typeof bounds], milliseconds),
    ),
    ...Object.entries(pages).map(([name, { requests }]) => atMost(`requests before ${name}`, 12, requests)),
    atMost('half of the frames while scrolling, in ms', 17, scrolling.frame.p50),
  ];
}
