import { sinceFirst, StackedChart } from '../insights/StackedChart.tsx';
import type { CountedRows, RowCounts } from './report-days.ts';
import { codes, words } from './words/words.ts';

const tones = ['first', 'second', 'third', 'fourth'] as const;

/** Results by day or week, and their endings. */
export const ReportChart = ({ counted: { column, values, spans } }: { counted: CountedRows }) => (
  <StackedChart<RowCounts>
    title={words.overTime}
    formatTop={words.most}
    spans={sinceFirst(spans, ({ counts }) => Object.keys(counts).length > 0)}
    parts={values.map((value, at) => ({
      name: column === null ? words.results : (codes[column]?.[value] ?? value),
      tone: column === 'outcome' && value !== 'open' ? value : (tones[at % tones.length] ?? tones[0]),
      countOf: ({ counts }) => counts[value] ?? 0,
    }))}
  />
);
