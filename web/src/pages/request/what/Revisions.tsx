import type { ElicitationDetail } from '../../../../../src/contract/console/console.ts';
import { Age } from '../../../ui/Moment.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import unseen from '../../../ui/Unseen.module.css';
import classes from './Revisions.module.css';
import { revisions as words } from '../words/words.ts';

/** What approvers changed since it was asked, one edit after the other. */
export function Revisions({ revisions }: { revisions: ElicitationDetail['revisions'] }) {
  if (revisions.length === 0) return null;
  return (
    <div className={classes.revisions}>
      <h3 className={classes.title}>{words.title}</h3>
      <p className={classes.soft}>{words.note}</p>
      {revisions.map(({ revision, by, at, changes }) => (
        <div key={revision}>
          <p className={classes.soft}>
            <Revealed text={by} />, <Age at={at} />
          </p>
          <dl className={classes.changes}>
            {changes.map(({ name, before, after }) => (
              <div key={name} className={classes.change}>
                <dt>
                  <Revealed text={name} />
                </dt>
                <dd className={classes.before}>
                  <span aria-hidden="true">− </span>
                  <span className={unseen.unseen}>{words.before}: </span>
                  <del>
                    <Revealed text={say(before)} />
                  </del>
                </dd>
                <dd className={classes.after}>
                  <span aria-hidden="true">+ </span>
                  <span className={unseen.unseen}>{words.after}: </span>
                  <ins>
                    <Revealed text={say(after)} />
                  </ins>
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </div>
  );
}

const say = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
