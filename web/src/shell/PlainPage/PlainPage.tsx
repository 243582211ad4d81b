import type { ReactNode } from 'react';
import { LanguageChoice } from './LanguageChoice.tsx';
import classes from '../PlainPage.module.css';
import { Wordmark } from './Wordmark.tsx';

/** The frame of the pages before the sign-in: one narrow column. */
export function PlainPage({ children }: { children: ReactNode }) {
  return (
    <div className={classes.page}>
      <header>
        <Wordmark />
      </header>
      <main className={classes.main}>{children}</main>
      <LanguageChoice />
    </div>
  );
}
