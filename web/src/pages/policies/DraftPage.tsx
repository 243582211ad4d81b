import { Link } from 'react-router';
import page from '../../ui/Page.module.css';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { DocumentViews } from './DocumentViews.tsx';
import { DraftActions } from './DraftActions.tsx';
import classes from './Policies.module.css';
import { Simulator } from './Simulator.tsx';
import { useDocument } from './use-document.ts';
import { words as shared } from './words.ts';

interface DraftPageProps {
  title: string;
  back: string;
  document: string;
  note: string;
  /** The draft that is written anew; without it saving makes a new version. */
  version?: number;
}

/** Writes a policy: as text and as a form, checked while it is written, tried on real requests, saved, submitted. */
export function DraftPage({ title, back, document: first, note, version }: DraftPageProps) {
  const edited = useDocument(first);
  return (
    <div className={page.stack}>
      <header>
        <Link to={back} className={page.back}>
          <span aria-hidden="true">←</span> {shared.back}
        </Link>
        <PageHeading title={title} className={classes.title}>
          {title}
        </PageHeading>
      </header>
      <DocumentViews edited={edited} />
      <Simulator document={edited.text} isReady={edited.isChecked && edited.check.data?.ok === true} />
      <DraftActions
        edited={edited}
        note={note}
        {...(version !== undefined && { version })}
        isChanged={edited.text !== first}
      />
    </div>
  );
}
