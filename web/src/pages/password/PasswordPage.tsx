import { Link } from 'react-router';
import { useFragment } from '../../lib/use-fragment.ts';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { PlainPage } from '../../ui/PlainPage.tsx';
import { NewPasswordForm } from './NewPasswordForm.tsx';
import { words } from './words.ts';

/** Where the link leads that an administrator hands over. */
export function PasswordPage() {
  const { link } = useFragment();
  return (
    <PlainPage>
      <PageHeading title={words.title}>{words.title}</PageHeading>
      {link === null ? <LinkMissing /> : <NewPasswordForm link={link} />}
    </PlainPage>
  );
}

function LinkMissing() {
  return (
    <Notice title={words.noLink}>
      <p>{words.noLinkNote}</p>
      <Link to="/signin">{words.signIn}</Link>
    </Notice>
  );
}
