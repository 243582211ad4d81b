import classes from '../PartEnd.module.css';

/** Where a part of the request ends, once it stands open. */
export const PartEnd = ({ of }: { of: string }) => (
  <span className={classes.end} data-part-end={of} aria-hidden="true" />
);

/** For the element in which the part stands: the button can lead there. */
export const partStart = (of: string) => ({ 'data-part-start': of, tabIndex: -1 });

/** For each line of a part: what must have been on the screen. */
export const unit = { 'data-unit': '' };
