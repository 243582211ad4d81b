import { TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import { listAddress, withFilter, type InboxFilters } from '../inbox-url.ts';
import { dayOf, endOfDay, startOfDay } from './days.ts';
import { words } from '../words/words.ts';

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
