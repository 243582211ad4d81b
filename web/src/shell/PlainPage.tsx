import { type ReactNode, Component, Suspense } from 'react';
import { Link } from 'react-router';
import { isProblemOf } from '../client/call-api.ts';
import { useFragment } from '../access/sign-in/PasswordForm.tsx';
import { Notice, ProblemNotice } from '../ui/Notice.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { linkPage as shared, problems, shell } from '../ui/words/words.ts';
import { Button } from '@mantine/core';
import classes from './PlainPage.module.css';
import { LanguageSelect } from '../ui/LanguageSelect.tsx';
import languageChoiceClasses from './LanguageChoice.module.css';
import wordmarkClasses from './Shell.module.css';

interface LinkPageProps {
  words: { title: string; noLink: string; noLinkNote: string };
  children: (link: string) => ReactNode;
}

/** A page for a person with its one-time link, which stands in the fragment. */
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

/** Tells that the link is not valid, or shows another problem. */
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

interface GuardedProps {
  children: ReactNode;
  /** Replacement for failed content. */
  instead: ReactNode;
  /** Address; at another one, the content is tried again. */
  place?: string;
}

/** Replaces content that could not be loaded or drawn; shows nothing while it loads. */
export class Guarded extends Component<GuardedProps, { brokenAt: string | null }> {
  override state = { brokenAt: null };

  static getDerivedStateFromError() {
    return { brokenAt: '' };
  }

  static getDerivedStateFromProps({ place = '' }: GuardedProps, { brokenAt }: { brokenAt: string | null }) {
    if (brokenAt === null || brokenAt === place) return null;
    return { brokenAt: brokenAt === '' ? place : null };
  }

  override render() {
    return this.state.brokenAt === null ? <Suspense>{this.props.children}</Suspense> : this.props.instead;
  }
}

/** Page for a console that could not be drawn at all. */
export function BrokenPage() {
  return (
    <PlainPage>
      <BrokenPart />
    </PlainPage>
  );
}

/** Replacement for a page that could not be loaded or drawn. */
export function BrokenPart() {
  return (
    <div role="alert">
      <h1>{problems.broken}</h1>
      <Notice tone="danger" title={problems.brokenNote}>
        <Button variant="default" onClick={() => location.reload()}>
          {problems.reload}
        </Button>
      </Notice>
    </div>
  );
}

/** The frame of the pages before the sign-in: one narrow column. */
export function PlainPage({ children }: { children: ReactNode }) {
  return (
    <div className={classes.page}>
      <header>
        <Wordmark />
      </header>
      <main className={classes.main}>{children}</main>
      <LanguageChoice />
    </div>
  );
}

/** The choice of the language at the foot of a page, for people who cannot read the rest. */
const LanguageChoice = () => (
  <footer className={languageChoiceClasses.footer}>
    <LanguageSelect label={shell.language} />
  </footer>
);

export function Wordmark() {
  return (
    <Link to="/" className={wordmarkClasses.wordmark}>
      <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="7" fill="var(--accent)" />
        <path d="M8.5 16.5l5 5 10-11" fill="none" stroke="var(--page)" strokeWidth="3.4" strokeLinecap="square" />
      </svg>
      <span>{shell.product}</span>
    </Link>
  );
}
