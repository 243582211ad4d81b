import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { Age } from '../../../ui/Moment.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { Changes } from './Changes.tsx';
import classes from '../Revisions.module.css';
import { revisions as words } from '../words/words.ts';

/** What approvers changed since it was asked, one edit after the other. */
export function Revisions({ revisions }: { revisions: ElicitationDetail['revisions'] }) {
  if (revisions.length === 0) return null;
  return (
    <section aria-label={words.title} className={classes.revisions}>
      <h3 className={classes.title}>{words.title}</h3>
      <p className={classes.soft}>{words.note}</p>
      {revisions.map(({ revision, by, at, changes }) => (
        <div key={revision}>
          <p className={classes.soft}>
            <Revealed text={by} />, <Age at={at} />
          </p>
          <Changes changes={changes} />
        </div>
      ))}
    </section>
  );
}
