import { printProgress } from '#cli/output';

/** Milliseconds between two lines of progress. */
const pause = 2000;

const defaults = { now: () => performance.now(), print: (line: string) => printProgress(line) };

/** Tells now and then of how many entries this is true, and of how many more it became true in a second. */
export function reportProgress(what: string, { now, print } = defaults): (done: number, size: number) => void {
  const start = now();
  let last = start;
  return (done, size) => {
    const at = now();
    if (at - last < pause) return;
    last = at;
    const perSecond = Math.round((done * 1000) / (at - start));
    print(`${done} of ${size} entries ${what}, ${perSecond} a second …`);
  };
}
