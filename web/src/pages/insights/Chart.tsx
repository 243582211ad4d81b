import { useId, type ReactNode } from 'react';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import page from '../../ui/page/Page.module.css';
import classes from './Insights.module.css';
import type { Span } from './spans.ts';
import { dayOf, words } from './words/words.ts';

interface ChartProps {
  title: string;
  /** The highest value, in words. */
  top: string;
  spans: Span[];
  legend: { name: string; tone: string }[];
  /** The shapes, in a field 100 high and as wide as there are spans. */
  children: ReactNode;
  columns: Column<Span>[];
}

/** One chart over time, and the same as a table for anyone who does not see it. */
export function Chart({ title, top, spans, legend, children, columns }: ChartProps) {
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
      <svg
        className={classes.field}
        viewBox={`0 0 ${spans.length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.chartOf(title)}
      >
        {children}
      </svg>
      <p className={classes.ends}>
        <span>{first && dayOf(first.at)}</span>
        <span>{last && dayOf(last.at)}</span>
      </p>
      <details>
        <summary className={classes.summary}>{words.table}</summary>
        <DataTable
          caption={title}
          columns={[{ head: words.day, isName: true, cell: ({ at }) => dayOf(at) }, ...columns]}
          rows={spans}
          keyOf={({ at }) => String(at)}
        />
      </details>
    </section>
  );
}
