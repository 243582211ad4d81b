import { Link } from 'react-router';
import type { PolicyVersion } from '#policies/contract/documents';
import { RowAge } from '../../ui/use-now/RowMoment.tsx';
import page from '../../ui/Page.module.css';
import { Revealed } from '../../ui/Revealed/Revealed.tsx';
import classes from '../Policies.module.css';
import { VersionMark } from '../VersionMark.tsx';
import { authorName } from '../author-name.ts';
import { version as words } from '../words/words.ts';

export function VersionHistory({ versions, shown }: { versions: PolicyVersion[]; shown: number }) {
  return (
    <>
      <h2 className={page.subtitle}>{words.history}</h2>
      <ol className={classes.history}>
        {versions.map((version) => (
          <li key={version.version} className={classes.entry} data-shown={version.version === shown}>
            <Link
              to={`/policies/${version.name}?version=${version.version}`}
              className={classes.entryLink}
              aria-current={version.version === shown ? 'page' : undefined}
            >
              {words.number(version.version)}
            </Link>
            <VersionMark version={version} />
            <span className={classes.second}>
              <Revealed text={authorName(version)} />, <RowAge at={version.createdAt} />
            </span>
            {version.note !== '' && (
              <span className={classes.second}>
                <Revealed text={version.note} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
