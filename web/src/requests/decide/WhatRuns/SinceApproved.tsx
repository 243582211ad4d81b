import { Link } from 'react-router';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { Age } from '../../../ui/Moment.tsx';
import { useComparison } from '../MoreSteps/use-comparison.ts';
import { comparison as words } from '../words/words.ts';
import { Changes } from './Changes.tsx';
import classes from '../SinceApproved.module.css';

/** What differs from the last approved call of this tool. */
export function SinceApproved({ detail }: { detail: ElicitationDetail }) {
  const data = useComparison(detail);
  if (!data?.approved) return null;
  const { approved, differences, isCut } = data;
  return (
    <section aria-label={words.title} className={classes.since}>
      <p>
        {differences.length === 0 ? words.same : words.changed(differences.length)}{' '}
        <Link to={`/requests/${approved.id}`}>{words.approved}</Link> (<Age at={approved.closedAt} />)
      </p>
      <Changes
        changes={differences.map(({ path, pointer: _pointer, ...values }) => ({ name: path || words.all, ...values }))}
      />
      {isCut && <p className={classes.more}>{words.cut(differences.length)}</p>}
    </section>
  );
}
