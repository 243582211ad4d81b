import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { PolicyEntry, PolicyVersion } from '#policies/contract/documents';
import { may } from '../people/roles/permission-table.ts';
import { policiesQuery } from '../people/users/directory-queries.ts';
import { useSpacesWith } from '../people/spaces/spaces.ts';
import { useReviewsDue } from '../requests/inbox/reviews-due.ts';
import { useUser } from '../people/users/use-user.ts';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { Age } from '../ui/Moment.tsx';
import { sentences } from '../language/sentences.ts';
import { Notice } from '../ui/Notice.tsx';
import page from '../ui/Page.module.css';
import { PageHead } from '../ui/PageHead.tsx';
import { Revealed } from '../ui/Revealed.tsx';
import { isOfPolicies, WaitingChanges } from '../people/changes/WaitingChanges.tsx';
import classes from './Policies.module.css';
import { VersionMark } from './VersionMark.tsx';
import { authorName } from './author-name.ts';
import { list as words } from './words/words.ts';

export function PoliciesPage() {
  const isInSpace = useSpacesWith('write-policies').length > 0;
  const everywhere = may(useUser(), 'write-policies');
  const permission = isInSpace ? { allowed: true, reason: null } : everywhere;
  return (
    <div className={page.stack}>
      <PageHead
        title={words.title}
        lead={words.lead}
        action={
          permission.allowed && (
            <Link to="/new-policy" className={page.action}>
              {words.new}
            </Link>
          )
        }
      />
      <WaitingChanges isShown={({ tool }) => isOfPolicies(tool)} />
      <ReviewsDue />
      <LoadedList query={useQuery(policiesQuery)} words={words}>
        {(policies) => <DataTable caption={words.title} columns={columns} rows={policies} keyOf={({ name }) => name} />}
      </LoadedList>
      {permission.reason !== null && <p className={page.small}>{permission.reason}</p>}
    </div>
  );
}

/** Versions that wait for the reader's review, for one click. */
function ReviewsDue() {
  const due = useReviewsDue();
  if (due.length === 0) return null;
  return (
    <Notice title={words.due(due.length)}>
      <ul className={page.links}>
        {due.map(({ name, version }) => (
          <li key={`${name} ${version}`}>
            <Link to={`/policies/${name}?version=${version}`}>
              {name}, {words.version(version)}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const columns: Column<PolicyEntry>[] = [
  {
    head: words.name,
    isName: true,
    cell: ({ name, space }) => (
      <>
        <Link to={`/policies/${name}`} className={classes.name}>
          {name}
        </Link>
        {space && (
          <span className={classes.second}>
            <Revealed text={space.name} />
          </span>
        )}
      </>
    ),
  },
  {
    head: words.says,
    isLong: true,
    cell: ({ terms }) => (
      <span>
        <Revealed text={terms.map(sentences.clause).join(' ')} />
      </span>
    ),
  },
  {
    head: words.state,
    cell: ({ published, shadow, latest }) => (
      <div className={classes.states}>
        {statesOf(published, shadow, latest).map((version) => (
          <Link
            key={version.version}
            to={`/policies/${version.name}?version=${version.version}`}
            className={classes.state}
          >
            <VersionMark version={version} /> <span className={classes.version}>{words.version(version.version)}</span>
          </Link>
        ))}
      </div>
    ),
  },
  {
    head: words.changed,
    cell: ({ latest }) => (
      <div>
        <Revealed text={authorName(latest)} />
        <span className={classes.second}>
          <Age at={latest.createdAt} />
        </span>
      </div>
    ),
  },
];

/** Versions that decide, watch, or are on their way; each once. */
function statesOf(...versions: (PolicyVersion | null)[]): PolicyVersion[] {
  const existing = versions.filter((version) => version !== null);
  return existing.filter(({ version }, at) => existing.findIndex((other) => other.version === version) === at);
}
