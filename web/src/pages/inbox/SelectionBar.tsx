import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from './SelectionBar.module.css';
import type { Selection } from './use-selection.ts';
import { together as words } from './words/words.ts';

export function SelectionBar({ selection: { chosen, clear } }: { selection: Selection }) {
  const [first] = chosen;
  if (first === undefined) return null;
  return (
    <div role="region" aria-label={words.bar} className={classes.bar}>
      <p className={classes.count}>
        {words.chosen(chosen.length)} <Revealed text={first.toolTitle ?? first.tool} />
      </p>
      <Link to={`/inbox/together?ids=${chosen.map(({ id }) => id).join(',')}`} className={classes.go}>
        {words.go}
      </Link>
      <Button variant="subtle" color="gray" onClick={clear}>
        {words.clear}
      </Button>
    </div>
  );
}
