import { useQuery } from '@tanstack/react-query';
import type { PolicyDetail } from '#policies/contract/documents';
import { versionQuery } from '../policy-queries/policy-queries.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import page from '../../ui/Page.module.css';
import { Difference } from './Difference.tsx';
import classes from '../Policies.module.css';
import { version as words } from '../words/words.ts';

/** This version's text next to another's, so that anyone who reviews reads what changes. */
export function VersionChanges({ detail, against }: { detail: PolicyDetail; against: number }) {
  const query = useQuery(versionQuery({ name: detail.name, version: against }));
  const [older, newer] = against < detail.version ? [against, detail.version] : [detail.version, against];
  return (
    <section className={classes.section}>
      <h2 className={page.subtitle}>{words.changes(against)}</h2>
      <Loaded query={query}>
        {(other) => {
          const [before, after] = against === older ? [other, detail] : [detail, other];
          const names = { before: words.number(older), after: words.number(newer) };
          return <Difference before={before.document} after={after.document} names={names} />;
        }}
      </Loaded>
    </section>
  );
}
