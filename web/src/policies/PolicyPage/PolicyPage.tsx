import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type { InboxItem } from '#requests/inbox/contract/inbox';
import type { PolicyDetail } from '#policies/contract/documents';
import { isProblemOf } from '../../client/call-api.ts';
import { historyQuery, versionQuery } from '../policy-queries/policy-queries.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { Notice } from '../../ui/Notice/Notice.tsx';
import { MissingPage } from '../../shell/MissingPage.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { Revealed } from '../../ui/Revealed/Revealed.tsx';
import { isOfPolicies, WaitingChanges } from '../../people/changes/WaitingChanges.tsx';
import { places } from '../../ui/words/words.ts';
import classes from '../Policies.module.css';
import { Sentences } from '../policy-queries/Sentences.tsx';
import { ShadowResults } from './ShadowResults.tsx';
import { VersionChanges } from './VersionChanges.tsx';
import { VersionHistory } from './VersionHistory.tsx';
import { VersionSteps } from '../VersionSteps.tsx';
import { VersionSummary } from './VersionSummary.tsx';
import { version as words } from '../words/words.ts';

// What reads the text comes with it.
const ReviewTrials = lazy(async () => ({ default: (await import('../ReviewTrials.tsx')).ReviewTrials }));

const back = { to: '/policies', text: places.policies };

/** One policy: the version the address names, or the newest. */
export function PolicyPage() {
  const { name = '' } = useParams();
  const [search] = useSearchParams();
  const history = useQuery(historyQuery(name));
  if (isProblemOf(history.error, 'not-found')) return <MissingPage words={words} back={back} />;
  return (
    <Loaded query={history}>
      {(versions) => {
        const requested = search.get('version');
        const named = versions.find(({ version }) => version === Number(requested));
        const shown = named ?? versions[0];
        if (shown === undefined) return <MissingPage words={words} back={back} />;
        return (
          <div className={page.stack}>
            <PageHead title={name} back={back} />
            <WaitingChanges isShown={isAbout(name)} />
            {requested !== null && named === undefined && (
              <Notice tone="warn" title={<Revealed text={words.noVersion(requested)} />}>
                <p>{words.newestInstead(shown.version)}</p>
              </Notice>
            )}
            <div className={classes.columns}>
              <Version
                key={shown.version}
                name={name}
                version={shown.version}
                published={versions.find(({ isPublished }) => isPublished)?.version ?? null}
              />
              <aside className={classes.side} aria-label={words.history}>
                <VersionHistory versions={versions} shown={shown.version} />
              </aside>
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}

const isAbout =
  (name: string) =>
  ({ tool, facts }: InboxItem): boolean =>
    isOfPolicies(tool) && facts.some(({ label, value }) => label === 'policy' && value === name);

interface VersionProps {
  name: string;
  version: number;
  published: number | null;
}

function Version({ name, version, published }: VersionProps) {
  return (
    <Loaded query={useQuery(versionQuery({ name, version }))}>
      {(detail) => (
        <div className={page.stack}>
          <VersionSummary detail={detail} />
          <section className={classes.section}>
            <h2 className={page.subtitle}>{words.says}</h2>
            <Sentences terms={detail.terms} />
          </section>
          <Parts detail={detail} published={published} />
        </div>
      )}
    </Loaded>
  );
}

/** A review comes after what it is about: what changes in the text, and for real requests. */
function Parts({ detail, published }: { detail: PolicyDetail; published: number | null }) {
  const { name, document, isShadow, state, can } = detail;
  const isReviewed = state === 'in-review' && can.review.allowed;
  const text = <Text detail={detail} published={published} />;
  return (
    <>
      {isReviewed && text}
      {isReviewed && (
        <Suspense>
          <ReviewTrials document={document} />
        </Suspense>
      )}
      <VersionSteps detail={detail} />
      {!isReviewed && text}
      {isShadow && <ShadowResults name={name} />}
    </>
  );
}

/** Next to the version that decides, or alone where there is none to compare with. */
function Text({ detail, published }: { detail: PolicyDetail; published: number | null }) {
  const against = published !== null && published !== detail.version ? published : detail.against;
  if (against !== null && against !== detail.version) return <VersionChanges detail={detail} against={against} />;
  return (
    <section className={classes.section}>
      <h2 className={page.subtitle}>{words.text}</h2>
      <pre className={classes.document} tabIndex={0} aria-label={words.text}>
        {detail.document}
      </pre>
    </section>
  );
}
