import { formats } from '../../../language/language.ts';
import { Chart } from './Chart.tsx';
import { scaleOf } from './scale.ts';
import classes from '../Chart.module.css';

/** One part of each bar. */
interface Part<Span> {
  name: string;
  /** Its colour. */
  tone: string;
  countOf: (span: Span) => number;
}

interface StackedChartProps<Span> {
  title: string;
  /** Says the highest bar in words. */
  formatTop: (highest: number) => string;
  spans: Span[];
  parts: Part<Span>[];
}

/** How many there were of each part, over time. */
export function StackedChart<Span extends { at: number }>({ title, formatTop, spans, parts }: StackedChartProps<Span>) {
  const sumOf = (span: Span): number => parts.reduce((sum, { countOf }) => sum + countOf(span), 0);
  const { top, cutFrom } = scaleOf(spans.map(sumOf));
  const isCut = (span: Span): boolean => cutFrom !== null && sumOf(span) > top;
  return (
    <Chart<Span>
      title={title}
      top={formatTop(Math.floor(top))}
      cut={spans.filter(isCut).map((span) => ({ at: span.at, value: formats.number(sumOf(span)) }))}
      spans={spans}
      legend={parts}
      columns={parts.map(({ name, countOf }) => ({
        head: name,
        isNumber: true,
        cell: (span) => formats.number(countOf(span)),
      }))}
    >
      {spans.flatMap((span, at) =>
        stacked(parts, span, isCut(span) ? sumOf(span) : top).map(({ tone, y, height }) => (
          <rect
            key={`${span.at} ${tone}`}
            x={at + 0.1}
            width={0.8}
            y={y}
            height={height}
            data-tone={tone}
            className={classes.bar}
          />
        )),
      )}
    </Chart>
  );
}

/** The parts of one bar from the ground up. */
function stacked<Span>(
  parts: Part<Span>[],
  span: Span,
  highest: number,
): { tone: string; y: number; height: number }[] {
  let ground = 100;
  return parts
    .filter(({ countOf }) => countOf(span) > 0)
    .map(({ tone, countOf }) => {
      const height = (100 * countOf(span)) / highest;
      ground -= height;
      return { tone, y: ground, height };
    });
}
