import { DraftPage } from './DraftPage.tsx';
import { startingDocument } from './starting-document.ts';
import { draft as words } from '../text/words.ts';

export function NewPolicyPage() {
  return <DraftPage title={words.newTitle} back="/policies" document={startingDocument} note="" />;
}
