import { StackedChart } from '../StackedChart/StackedChart.tsx';
import { nameStatus } from '../../../ui/words/words.ts';
import type { Span } from './spans.ts';
import { words } from '../words/words.ts';

export type Ending = 'accepted' | 'declined' | 'cancelled' | 'expired';

interface EndingsChartProps {
  title: string;
  kinds: Ending[];
  spans: Span[];
}

/** How many requests ended in which way, over time. */
export const EndingsChart = ({ title, kinds, spans }: EndingsChartProps) => (
  <StackedChart<Span>
    title={title}
    formatTop={words.most}
    spans={spans}
    parts={kinds.map((kind) => ({ name: nameStatus(kind, null), tone: kind, countOf: (span) => span[kind] }))}
  />
);
