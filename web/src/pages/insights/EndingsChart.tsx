import { formats } from '../../lib/language/language.ts';
import { nameStatus } from '../../ui/words/words.ts';
import { Chart } from './Chart.tsx';
import classes from './Insights.module.css';
import type { Span } from './spans.ts';
import { words } from './words/words.ts';

export type Ending = 'accepted' | 'declined' | 'cancelled' | 'expired';

interface EndingsChartProps {
  title: string;
  kinds: Ending[];
  spans: Span[];
}

/** How many requests ended in which way, over time. */
export function EndingsChart({ title, kinds, spans }: EndingsChartProps) {
  const sumOf = (span: Span): number => kinds.reduce((sum, kind) => sum + span[kind], 0);
  const highest = Math.max(1, ...spans.map(sumOf));
  return (
    <Chart
      title={title}
      top={words.most(highest)}
      spans={spans}
      legend={kinds.map((kind) => ({ name: nameStatus(kind, null), tone: kind }))}
      columns={kinds.map((kind) => ({
        head: nameStatus(kind, null),
        isNumber: true,
        cell: (span) => formats.number(span[kind]),
      }))}
    >
      {spans.flatMap((span, at) =>
        stacked(kinds, span, highest).map(({ kind, y, height }) => (
          <rect
            key={`${span.at} ${kind}`}
            x={at + 0.1}
            width={0.8}
            y={y}
            height={height}
            data-tone={kind}
            className={classes.bar}
          />
        )),
      )}
    </Chart>
  );
}

/** The parts of one bar from the ground up. */
function stacked(kinds: Ending[], span: Span, highest: number): { kind: Ending; y: number; height: number }[] {
  let ground = 100;
  return kinds
    .filter((kind) => span[kind] > 0)
    .map((kind) => {
      const height = (100 * span[kind]) / highest;
      ground -= height;
      return { kind, y: ground, height };
    });
}
