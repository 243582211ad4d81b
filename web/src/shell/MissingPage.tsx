import { Link } from 'react-router';
import page from '../ui/Page.module.css';
import { PageHeading } from '../ui/PageHeading.tsx';

interface MissingPageProps {
  words: { missing: string; missingNote: string };
  back: { to: string; text: string };
}

/** Replaces a page that does not exist, or that this person may not see. */
export const MissingPage = ({ words, back }: MissingPageProps) => (
  <div className={page.empty}>
    <PageHeading title={words.missing} className={page.title}>
      {words.missing}
    </PageHeading>
    <p>{words.missingNote}</p>
    <p>
      <Link to={back.to}>{back.text}</Link>
    </p>
  </div>
);
