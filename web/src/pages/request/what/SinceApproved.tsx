import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ElicitationDetail } from '../../../../../src/contract/console/console.ts';
import { readComparison } from '../../../api/elicitations.ts';
import { Age } from '../../../ui/Moment.tsx';
import { comparison as words } from '../words/words.ts';
import { Changes } from './Changes.tsx';
import classes from './SinceApproved.module.css';

/** What differs from the last approved call of this tool. A help for reading: if it cannot be read, nothing is missing. */
export function SinceApproved({ detail: { id, digest } }: { detail: ElicitationDetail }) {
  const { data } = useQuery({
    queryKey: ['comparison', id, digest],
    queryFn: ({ signal }) => readComparison(id, signal),
    staleTime: Infinity,
  });
  if (!data?.approved) return null;
  const { approved, differences, isCut } = data;
  return (
    <section aria-label={words.title} className={classes.since}>
      <p>
        {differences.length === 0 ? words.same : words.changed(differences.length)}{' '}
        <Link to={`/requests/${approved.id}`}>{words.approved}</Link> (<Age at={approved.closedAt} />)
      </p>
      <Changes changes={differences.map(({ path, ...values }) => ({ name: path || words.all, ...values }))} />
      {isCut && <p className={classes.more}>{words.cut(differences.length)}</p>}
    </section>
  );
}
