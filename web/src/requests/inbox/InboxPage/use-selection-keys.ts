import { useNavigate } from 'react-router';
import { togetherAddress, type InboxFilters } from '../inbox-url.ts';
import { useHotkeys } from '../../../shell/use-hotkeys/use-hotkeys.tsx';
import type { Selection } from '../use-selection/use-selection.ts';

/** `*` selects what can be decided together, and `t` opens what is selected. */
export function useSelectionKeys({ chosen, chooseAll }: Selection, filters: InboxFilters): void {
  const navigate = useNavigate();
  useHotkeys('list', (key) => {
    if (key === '*' && filters.view === 'mine') chooseAll();
    else if (key === 't' && chosen.length > 0) void navigate(togetherAddress(chosen, filters));
    else return false;
    return true;
  });
}
