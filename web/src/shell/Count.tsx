import unseen from './Unseen.module.css';
import { shell } from '../ui/words/words.ts';
import classes from './Shell.module.css';

/** Number of waiting items of a place; `words` tell it to people who cannot see it. */
export function Count({ count, words }: { count: number; words: string }) {
  if (count === 0) return null;
  return (
    <span className={classes.count}>
      <span aria-hidden="true">{shell.counted(count)}</span>
      <span className={unseen.unseen}>{words}</span>
    </span>
  );
}
