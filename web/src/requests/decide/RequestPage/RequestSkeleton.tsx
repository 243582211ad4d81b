import { Skeleton } from '@mantine/core';
import classes from '../RequestView.module.css';
import { words } from '../words/words.ts';

export function RequestSkeleton() {
  return (
    <div className={classes.page} role="status" aria-label={words.loading}>
      <div className={classes.header}>
        <Skeleton height={14} width={160} mb="sm" />
        <Skeleton height={28} width="45%" mb="md" />
        <Skeleton height={14} width="60%" />
      </div>
      <div className={classes.reading}>
        <Skeleton height={180} />
        <Skeleton height={110} />
        <Skeleton height={110} />
      </div>
      <Skeleton height={380} className={classes.decide} />
    </div>
  );
}
