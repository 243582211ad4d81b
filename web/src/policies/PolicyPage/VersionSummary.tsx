import type { PolicyDetail } from '#policies/contract/documents';
import { Age } from '../../ui/Moment.tsx';
import { Revealed } from '../../ui/Revealed/Revealed.tsx';
import classes from '../Policies.module.css';
import { VersionMark } from '../VersionMark.tsx';
import { authorName } from '../author-name.ts';
import { version as words } from '../words/words.ts';

/** Which version this is, who wrote it, who reviewed it, and who published it. */
export function VersionSummary({ detail }: { detail: PolicyDetail }) {
  const { reviewer, reviewedAt, publishers, publishedAt, createdAt, state, note } = detail;
  return (
    <div className={classes.summary}>
      <p className={classes.facts}>
        <strong>{words.number(detail.version)}</strong>
        <VersionMark version={detail} />
        <span>
          {words.written} <Revealed text={authorName(detail)} /> <Age at={createdAt} />
        </span>
        {reviewer !== null && reviewedAt !== null && (
          <span>
            {state === 'rejected' ? words.rejected : words.approved} <Revealed text={reviewer.name} />{' '}
            <Age at={reviewedAt} />
          </span>
        )}
        {publishedAt !== null && (
          <span>
            {publishers.length === 0 ? words.published : words.publishedBy} <Revealed text={publishers.join(', ')} />{' '}
            <Age at={publishedAt} />
          </span>
        )}
      </p>
      {note !== '' && (
        <p className={classes.note}>
          <Revealed text={note} />
        </p>
      )}
    </div>
  );
}
