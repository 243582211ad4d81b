import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { togetherAddress, type InboxFilters } from './inbox-url.ts';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from './SelectionBar.module.css';
import type { Selection } from './use-selection.ts';
import { together as words } from './words/together-words.ts';

export function SelectionBar({ selection, filters }: { selection: Selection; filters: InboxFilters }) {
  const { chosen, mayChooseMore, chooseAll, clear } = selection;
  const [first] = chosen;
  if (first === undefined) return null;
  return (
    <div role="region" aria-label={words.bar} className={classes.bar}>
      <p className={classes.count}>
        {words.chosen(chosen.length)} <Revealed text={first.toolTitle ?? first.tool} />
      </p>
      <Link to={togetherAddress(chosen, filters)} className={classes.go}>
        {words.go}
      </Link>
      {mayChooseMore && (
        <Button variant="subtle" color="gray" onClick={chooseAll}>
          {words.all}
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={clear}>
        {words.clear}
      </Button>
    </div>
  );
}
