import type { CSSProperties } from 'react';
import { hueOf, initialsOf } from './initials.ts';
import classes from '../Initials.module.css';

/** Tells people apart at a glance, by a colour that follows from their id. Their name stands next to it and says who it is. */
export const Initials = ({ id, name }: { id: string; name: string }) => (
  <span
    aria-hidden="true"
    className={classes.initials}
    data-initials={initialsOf(name)}
    style={{ '--hue': hueOf(id) } as CSSProperties}
  />
);
