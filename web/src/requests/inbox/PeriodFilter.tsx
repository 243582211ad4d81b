import { TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import { listAddress, withFilter, type InboxFilters } from './inbox-url.ts';
import { words } from './words/words.ts';
import { toLocalTime } from '../../ui/local-time.ts';

/** The first and the last day on which a request closed, both included, in the person's own time zone. */
export function PeriodFilter({ filters }: { filters: InboxFilters }) {
  const navigate = useNavigate();
  const set = (name: 'from' | 'until', moment: number | null) => {
    const next = withFilter(filters, name, moment === null ? undefined : `${moment}`);
    void navigate(listAddress(next), { replace: true });
  };
  const { from, until } = filters;
  return (
    <>
      <TextInput
        type="date"
        aria-label={words.from}
        leftSection={words.fromShort}
        leftSectionWidth={48}
        value={from === undefined ? '' : dayOf(from)}
        onChange={({ currentTarget: { value } }) => set('from', startOfDay(value))}
      />
      <TextInput
        type="date"
        aria-label={words.until}
        leftSection={words.untilShort}
        leftSectionWidth={48}
        value={until === undefined ? '' : dayOf(until - 1)}
        onChange={({ currentTarget: { value } }) => set('until', endOfDay(value))}
      />
    </>
  );
}

/** The day of a moment in the form of a date control, such as "2026-11-21". */
export const dayOf = (moment: number): string => toLocalTime(new Date(moment).toISOString()).slice(0, 10);

/** Start of a day; null if the text is no day. */
export const startOfDay = (day: string): number | null => momentOf(day, 0);

/** End of a day, a whole day later only if no clock is changed. */
export const endOfDay = (day: string): number | null => momentOf(day, 1);

function momentOf(day: string, later: number): number | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (parts === null) return null;
  const [year = 0, month = 0, date = 0] = parts.slice(1).map(Number);
  return Math.max(0, new Date(year, month - 1, date + later).getTime());
}
