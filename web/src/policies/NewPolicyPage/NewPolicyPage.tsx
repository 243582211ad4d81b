import { Link, useSearchParams } from 'react-router';
import { colon } from '../../language/words/words.ts';
import { galleryNames } from '../../ui/words/gallery-names.ts';
import { gallery } from '../../ui/words/gallery-words.ts';
import classes from '../Policies.module.css';
import { draft as words } from '../words/words.ts';
import { DraftPage } from '../DraftPage/DraftPage.tsx';
import { galleryDocuments } from './gallery-documents.ts';
import { ruleDocument } from './rule-document.ts';
import { startingDocument } from './starting-document.ts';

/** A new policy, from an example of the gallery or from what people nearly always approved, if the address says so. */
export function NewPolicyPage() {
  const [search] = useSearchParams();
  const from = search.get('from');
  const name = galleryNames.find((name) => name === from);
  const document = name === undefined ? (ruleDocument(search) ?? startingDocument()) : galleryDocuments[name];
  return (
    <DraftPage key={name} title={words.newTitle} back="/policies" document={document} note="" isNew>
      <nav aria-label={words.examples} className={classes.examples}>
        <span>
          {words.examples}
          {colon}
        </span>
        {galleryNames.map((example) => (
          <Link
            key={example}
            to={`/new-policy?from=${example}`}
            replace
            aria-current={example === name ? 'page' : undefined}
          >
            {gallery[example].title}
          </Link>
        ))}
      </nav>
    </DraftPage>
  );
}
