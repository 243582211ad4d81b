import type { ReactNode } from 'react';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { places } from '../../ui/words/words.ts';
import { DocumentViews } from './DocumentViews.tsx';
import { DraftActions } from './DraftActions.tsx';
import { CallTrial } from '../CallTrial/CallTrial.tsx';
import { Simulator } from '../Simulator/Simulator.tsx';
import { useDocument } from './use-document.ts';

interface DraftPageProps {
  title: string;
  back: string;
  document: string;
  note: string;
  /** The draft that is written again; without it saving makes a new version. */
  version?: number;
  /** Set if the policy is not there yet. */
  isNew?: true;
  /** What stands above the editor. */
  children?: ReactNode;
}

/** Writes a policy: as text and as a form, checked while it is written, tried on real requests, saved, submitted. */
export function DraftPage({ title, back, document: first, note, version, isNew, children }: DraftPageProps) {
  const edited = useDocument(first);
  const isReady = edited.isChecked && edited.check.data?.ok === true;
  return (
    <div className={page.stack}>
      <PageHead title={title} back={{ to: back, text: places.policies }} />
      {children}
      <DocumentViews edited={edited} />
      <Simulator document={edited.text} tools={edited.parts?.tool ?? []} isReady={isReady} />
      <CallTrial document={edited.text} isReady={isReady} />
      <DraftActions
        edited={edited}
        note={note}
        {...(version !== undefined && { version })}
        isChanged={edited.text !== first}
        isNew={isNew === true}
      />
    </div>
  );
}
