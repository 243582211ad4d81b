import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { isProblemOf } from '../../client/call-api.ts';
import { useFragment } from '../../access/sign-in/PasswordForm.tsx';
import { Notice, ProblemNotice } from '../../ui/Notice/Notice.tsx';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { PlainPage } from './PlainPage.tsx';
import { linkPage as shared } from '../../ui/words/words.ts';

interface LinkPageProps {
  words: { title: string; noLink: string; noLinkNote: string };
  children: (link: string) => ReactNode;
}

/** A page for anyone who was given its one-time link, which stands in the fragment. */
export function LinkPage({ words, children }: LinkPageProps) {
  const { link } = useFragment();
  return (
    <PlainPage>
      <PageHeading title={words.title}>{words.title}</PageHeading>
      {link === null ? <LinkMissing {...words} /> : children(link)}
    </PlainPage>
  );
}

function LinkMissing({ noLink, noLinkNote }: LinkPageProps['words']) {
  return (
    <Notice title={noLink}>
      <p>{noLinkNote}</p>
      <Link to="/signin">{shared.signIn}</Link>
    </Notice>
  );
}

interface LinkFailureProps {
  error: unknown;
  words: { linkFailed: string; linkFailedNote?: string };
}

/** Says that the link is not valid, or whatever else went wrong. */
export function LinkFailure({ error, words: { linkFailed, linkFailedNote } }: LinkFailureProps) {
  const isRefused = isProblemOf(error, 'token-invalid') || isProblemOf(error, 'unauthenticated');
  if (!isRefused) return <ProblemNotice error={error} />;
  return (
    <div role="alert">
      <Notice tone="danger" title={linkFailed}>
        {linkFailedNote === undefined ? undefined : <p>{linkFailedNote}</p>}
      </Notice>
    </div>
  );
}
