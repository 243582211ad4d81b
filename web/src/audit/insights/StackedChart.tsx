import { formats } from '../../language/language.ts';
import classes from './Chart.module.css';
import { useId, type ReactNode } from 'react';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import page from '../../ui/Page.module.css';
import { charts } from '../../ui/words/table-words.ts';
import { dayOf } from '../../ui/words/words.ts';

/** One part of each bar. */
interface Part<Span> {
  name: string;
  /** Its colour. */
  tone: string;
  countOf: (span: Span) => number;
}

interface StackedChartProps<Span> {
  title: string;
  /** Describes the highest bar in words. */
  formatTop: (highest: number) => string;
  spans: Span[];
  parts: Part<Span>[];
}

/** Chart of the number in each part, over time. */
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

/** Scale of a chart's height. */
interface Scale {
  /** The value at the top. */
  top: number;
  /** The highest value, if cut off to keep the others apart. */
  cutFrom: number | null;
}

/** Ratio to nearly all others at which a value would flatten them. */
const flattening = 4;
/** Largest share of values that is cut off. */
const rareShare = 0.1;

/** The scale of these values: a few flattening ones are cut off at the top. */
export function scaleOf(values: number[]): Scale {
  const sorted = values.filter((value) => value > 0).sort((first, other) => first - other);
  const highest = Math.max(1, sorted.at(-1) ?? 1);
  const rare = Math.max(1, Math.floor(sorted.length * rareShare));
  const usual = sorted.at(-1 - rare);
  const isFlat = usual === undefined || sorted.length < 4 || highest <= flattening * usual;
  return isFlat ? { top: highest, cutFrom: null } : { top: Math.max(1, usual) * 1.25, cutFrom: highest };
}

/** Fewest spans of a chart. */
const fewestSpans = 7;

/** The spans from the first with a value on, such as from the start of the installation. */
export function sinceFirst<Span>(spans: Span[], hasSome: (span: Span) => boolean): Span[] {
  const first = spans.findIndex(hasSome);
  return first < 0 ? spans : spans.slice(Math.max(0, Math.min(first, spans.length - fewestSpans)));
}

interface ChartProps<Span> {
  title: string;
  /** The highest value, in words. */
  top: string;
  spans: Span[];
  /** Values above the field, in words: they would flatten the rest. */
  cut?: { at: number; value: string }[];
  legend: { name: string; tone: string }[];
  /** The shapes, in a field 100 high and as wide as there are spans. */
  children: ReactNode;
  columns: Column<Span>[];
}

/** One chart over time, with a table for people who cannot see it. */
export function Chart<Span extends { at: number }>({
  title,
  top,
  cut = [],
  spans,
  legend,
  children,
  columns,
}: ChartProps<Span>) {
  const id = useId();
  const [first, last] = [spans[0], spans.at(-1)];
  return (
    <section aria-labelledby={id} className={classes.chart}>
      <h2 id={id} className={page.subtitle}>
        {title}
      </h2>
      {legend.length > 1 && (
        <ul className={classes.legend}>
          {legend.map(({ name, tone }) => (
            <li key={name}>
              <span className={classes.swatch} data-tone={tone} aria-hidden="true" />
              {name}
            </li>
          ))}
        </ul>
      )}
      <p className={classes.top}>{top}</p>
      {cut.length > 0 && (
        <p className={classes.cut}>{charts.cut(cut.map(({ at, value }) => `${dayOf(at)}: ${value}`))}</p>
      )}
      <svg
        className={classes.field}
        viewBox={`0 0 ${spans.length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={charts.chartOf(title)}
      >
        {children}
        {cut.map(({ at }) => (
          <rect
            key={at}
            x={spans.findIndex((span) => span.at === at)}
            width={1}
            y={8}
            height={2.5}
            className={classes.break}
          />
        ))}
      </svg>
      <p className={classes.ends}>
        <span>{first && dayOf(first.at)}</span>
        <span>{last && dayOf(last.at)}</span>
      </p>
      <details>
        <summary className={classes.summary}>{charts.table}</summary>
        <DataTable
          caption={title}
          columns={[{ head: charts.day, isName: true, cell: ({ at }) => dayOf(at) }, ...columns]}
          rows={spans}
          keyOf={({ at }) => String(at)}
        />
      </details>
    </section>
  );
}
