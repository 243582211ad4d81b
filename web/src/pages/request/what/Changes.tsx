import { Revealed } from '../../../ui/Revealed.tsx';
import unseen from '../../../ui/Unseen.module.css';
import classes from './Revisions.module.css';
import { revisions as words } from '../words/words.ts';

interface ChangesProps {
  /** What was added has no `before`, what was removed no `after`. */
  changes: { name: string; before?: unknown; after?: unknown }[];
}

/** Values before and after, next to each other. */
export const Changes = ({ changes }: ChangesProps) => (
  <dl className={classes.changes}>
    {changes.map(({ name, before, after }) => (
      <div key={name} className={classes.change}>
        <dt>
          <Revealed text={name} />
        </dt>
        <dd className={classes.before}>
          {before !== undefined && (
            <>
              <span aria-hidden="true">− </span>
              <span className={unseen.unseen}>{words.before}: </span>
              <del>
                <Revealed text={say(before)} />
              </del>
            </>
          )}
        </dd>
        <dd className={classes.after}>
          {after !== undefined && (
            <>
              <span aria-hidden="true">+ </span>
              <span className={unseen.unseen}>{words.after}: </span>
              <ins>
                <Revealed text={say(after)} />
              </ins>
            </>
          )}
        </dd>
      </div>
    ))}
  </dl>
);

const say = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
