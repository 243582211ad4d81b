import { Skeleton } from '@mantine/core';
import classes from '../RowGrid.module.css';
import { words } from '../words/words.ts';

/** The list's own shape, so that nothing jumps when the rows arrive. */
export function RowSkeletons() {
  return (
    <div role="status" aria-label={words.loading}>
      {['62%', '48%', '70%', '55%', '40%'].map((width) => (
        <div key={width} className={classes.row}>
          <div className={classes.skeletonLines}>
            <Skeleton height={14} width={width} />
            <Skeleton height={12} width="80%" />
          </div>
        </div>
      ))}
    </div>
  );
}
