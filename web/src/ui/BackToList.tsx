import { useSearchParams } from 'react-router';
import { listAddress, readFilters } from '../requests/inbox/inbox-url.ts';
import { places } from './words/words.ts';
import { BackLink } from './BackLink.tsx';

/** The way back to the list that a request was opened from. */
export function BackToList() {
  const filters = readFilters(useSearchParams()[0]);
  return <BackLink to={listAddress(filters)} text={filters.view === 'done' ? places.history : places.inbox} />;
}
