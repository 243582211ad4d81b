import unseen from './Unseen.module.css';
import { shell } from '../ui/words/words.ts';
import classes from './Shell.module.css';

/** How much waits in a place; `words` say it to those who do not see it. */
export function Count({ count, words }: { count: number; words: string }) {
  if (count === 0) return null;
  return (
    <span className={classes.count}>
      <span aria-hidden="true">{shell.counted(count)}</span>
      <span className={unseen.unseen}>{words}</span>
    </span>
  );
}
