import type { PolicyVersion } from '#policies/contract/documents';
import { Cross, Dashes, Diamond, Disc, Ring, Stop, Tick } from '../ui/icons.tsx';
import shared from '../ui/marks.module.css';
import classes from './VersionMark.module.css';
import { marks } from './words/words.ts';

type Mark = keyof typeof marks;

const shapes: Record<Mark, typeof Ring> = {
  published: Disc,
  retired: Stop,
  shadow: Diamond,
  draft: Dashes,
  'in-review': Ring,
  approved: Tick,
  rejected: Cross,
};

/** The state of a version: word and shape. */
export function VersionMark({ version }: { version: PolicyVersion }) {
  const mark = markOf(version);
  const Shape = shapes[mark];
  return (
    <span className={`${shared.mark} ${classes.mark}`} data-mark={mark}>
      <Shape />
      {marks[mark]}
    </span>
  );
}

function markOf({ isPublished, isRetired, isShadow, state }: PolicyVersion): Mark {
  if (isRetired) return 'retired';
  if (isPublished) return 'published';
  return isShadow ? 'shadow' : state;
}
