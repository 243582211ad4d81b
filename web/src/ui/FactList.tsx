import type { ReactNode } from 'react';
import classes from './FactList.module.css';

/** Names with their values; on a narrow screen below each other. */
export const FactList = ({ children }: { children: ReactNode }) => <dl className={classes.facts}>{children}</dl>;

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={classes.fact}>
    <dt className={classes.name}>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** A digest, key or id, complete, broken at the line's end. */
export const Code = ({ text }: { text: string }) => <code className={classes.code}>{text}</code>;
