import { Link } from 'react-router';
import classes from '../Shell.module.css';
import { shell } from '../../ui/words/words.ts';

export function Wordmark() {
  return (
    <Link to="/" className={classes.wordmark}>
      <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="7" fill="var(--accent)" />
        <path d="M8.5 16.5l5 5 10-11" fill="none" stroke="var(--page)" strokeWidth="3.4" strokeLinecap="square" />
      </svg>
      <span>{shell.product}</span>
    </Link>
  );
}
