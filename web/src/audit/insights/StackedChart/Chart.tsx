import { useId, type ReactNode } from 'react';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import page from '../../../ui/Page.module.css';
import { charts } from '../../../ui/words/table-words.ts';
import { dayOf } from '../../../ui/words/words.ts';
import classes from '../Chart.module.css';

interface ChartProps<Span> {
  title: string;
  /** The highest value, in words. */
  top: string;
  spans: Span[];
  /** What is higher than the field, in words: it would flatten the rest. */
  cut?: { at: number; value: string }[];
  legend: { name: string; tone: string }[];
  /** The shapes, in a field 100 high and as wide as there are spans. */
  children: ReactNode;
  columns: Column<Span>[];
}

/** One chart over time, and the same as a table for anyone who does not see it. */
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
