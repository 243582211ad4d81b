import { useEffect, useState } from 'react';
import { readFragment } from './safe-next.ts';

/** What stood behind the `#` when the page was opened; it is taken out of the address, which is shared and kept. */
export function useFragment(): { link: string | null; next: string | null } {
  const [fragment] = useState(() => readFragment(location.hash));
  useEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  }, []);
  return fragment;
}
