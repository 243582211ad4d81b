import { useSearchParams } from 'react-router';
import { listAddress, readFilters } from '../requests/inbox/inbox-url.ts';
import { places } from './words/words.ts';
import { BackLink } from './BackLink.tsx';

/** Link back to the list from which a request was opened. */
export function BackToList() {
  const filters = readFilters(useSearchParams()[0]);
  return <BackLink to={listAddress(filters)} text={filters.view === 'done' ? places.history : places.inbox} />;
}
