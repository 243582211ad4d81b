import { Chart } from '../StackedChart/Chart.tsx';
import { scaleOf } from '../StackedChart/scale.ts';
import classes from '../Chart.module.css';
import type { Span } from './spans.ts';
import { formatWait, words } from '../words/words.ts';

const lines = ['p50', 'p95'] as const;

/** How long people took to decide, over time. */
export function WaitsChart({ spans }: { spans: Span[] }) {
  const { top, cutFrom } = scaleOf(spans.map(({ p95 }) => p95 ?? 0));
  const isCut = ({ p95 }: Span): boolean => cutFrom !== null && (p95 ?? 0) > top;
  return (
    <Chart<Span>
      title={words.waits}
      top={formatWait(top)}
      cut={spans.filter(isCut).map(({ at, p95 }) => ({ at, value: formatWait(p95) }))}
      spans={spans}
      legend={lines.map((line) => ({ name: words[line], tone: line }))}
      columns={lines.map((line) => ({ head: words[line], isNumber: true, cell: (span) => formatWait(span[line]) }))}
    >
      {lines.map((line) => (
        <path key={line} d={pathOf(spans, line, top)} data-tone={line} className={classes.line} />
      ))}
    </Chart>
  );
}

/** A line through what there is, with a dot for a day that has no neighbours. */
function pathOf(spans: Span[], line: (typeof lines)[number], top: number): string {
  const points = spans.map((span, at) => {
    const wait = span[line];
    return wait === null ? null : `${at + 0.5} ${(100 - 96 * Math.min(1, wait / top)).toFixed(2)}`;
  });
  return points
    .map((point, at) => (point === null ? '' : points[at - 1] ? `L ${point}` : `M ${point} h 0.001`))
    .join(' ');
}
