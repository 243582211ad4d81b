import type { ReactNode, Ref } from 'react';
import page from '../../../ui/Page.module.css';
import classes from '../Account.module.css';

interface AccountSectionProps {
  name: string;
  title: string;
  note?: string;
  /** By which links lead here. */
  id?: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A part of the page about oneself, under its heading. */
export const AccountSection = ({ name, title, note, children, ...section }: AccountSectionProps) => (
  <section {...section} className={classes.section} aria-labelledby={`account-${name}`}>
    <h2 id={`account-${name}`} className={page.subtitle}>
      {title}
    </h2>
    {note !== undefined && <p className={page.small}>{note}</p>}
    {children}
  </section>
);
