import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, memo, useMemo, useState } from 'react';
import { useParams, useSearchParams, Link } from 'react-router';
import type { InboxItem } from '#requests/inbox/contract/inbox';
import type { PolicyDetail, ShadowReport, PolicyVersion } from '#policies/contract/documents';
import { isProblemOf } from '../client/call-api.ts';
import { historyQuery, versionQuery, shadowQuery } from './policy-queries.tsx';
import { Sentences } from './Sentences.tsx';
import { Loaded } from '../ui/Loaded.tsx';
import { Notice } from '../ui/Notice.tsx';
import { MissingPage } from '../shell/MissingPage.tsx';
import page from '../ui/Page.module.css';
import { PageHead } from '../ui/PageHead.tsx';
import { Revealed, show } from '../ui/Revealed.tsx';
import { isOfPolicies, WaitingChanges } from '../people/changes/WaitingChanges.tsx';
import { places } from '../ui/words/words.ts';
import classes from './Policies.module.css';
import { VersionSteps } from './VersionSteps.tsx';
import { version as words, shadow as shadowResultsWords, difference as differenceWords } from './words/words.ts';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { RowAge } from '../ui/use-now.tsx';
import { VersionMark } from './VersionMark.tsx';
import { authorName } from './author-name.ts';
import { Age } from '../ui/Moment.tsx';
import { revealCode } from '#platform/text/visible-text';
import revealedCodeClasses from '../ui/Revealed.module.css';
import { Chunk } from '@codemirror/merge';
import { Text as DifferenceText } from '@codemirror/state';
import { Button } from '@mantine/core';
import unseen from '../shell/Unseen.module.css';
import differenceClasses from './Difference.module.css';

// Loaded with the code that reads the text.
const ReviewTrials = lazy(async () => ({ default: (await import('./ReviewTrials.tsx')).ReviewTrials }));

const back = { to: '/policies', text: places.policies };

/** One policy: the version in the address, or the newest. */
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

/** Parts of the page. The review comes last, after the changes of the text and their effect on real requests. */
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

/** The text next to the version that decides, or alone where there is none to compare with. */
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

/** Results of the watching version for real requests. */
function ShadowResults({ name }: { name: string }) {
  return (
    <section className={classes.section}>
      <h2 className={page.subtitle}>{shadowResultsWords.title}</h2>
      <Loaded query={useQuery(shadowQuery(name))}>
        {({ total, different, results }) => (
          <>
            <p>{shadowResultsWords.total(total, different)}</p>
            {results.length > 0 && (
              <DataTable
                caption={shadowResultsWords.title}
                columns={columns}
                rows={results}
                keyOf={({ elicitation }) => elicitation}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

const columns: Column<ShadowReport['results'][number]>[] = [
  {
    head: shadowResultsWords.request,
    isName: true,
    cell: ({ elicitation, at }) => (
      <Link to={`/requests/${elicitation}`}>
        <RowAge at={at} />
      </Link>
    ),
  },
  { head: shadowResultsWords.live, cell: ({ live }) => live },
  { head: shadowResultsWords.shadow, cell: ({ shadow }) => shadow },
];

/** This version's text next to another's, so that reviewers read the changes. */
function VersionChanges({ detail, against }: { detail: PolicyDetail; against: number }) {
  const query = useQuery(versionQuery({ name: detail.name, version: against }));
  const [older, newer] = against < detail.version ? [against, detail.version] : [detail.version, against];
  return (
    <section className={classes.section}>
      <h2 className={page.subtitle}>{words.changes(against)}</h2>
      <Loaded query={query}>
        {(other) => {
          const [before, after] = against === older ? [other, detail] : [detail, other];
          const names = { before: words.number(older), after: words.number(newer) };
          return <Difference before={before.document} after={after.document} names={names} />;
        }}
      </Loaded>
    </section>
  );
}

function VersionHistory({ versions, shown }: { versions: PolicyVersion[]; shown: number }) {
  return (
    <>
      <h2 className={page.subtitle}>{words.history}</h2>
      <ol className={classes.history}>
        {versions.map((version) => (
          <li key={version.version} className={classes.entry} data-shown={version.version === shown}>
            <Link
              to={`/policies/${version.name}?version=${version.version}`}
              className={classes.entryLink}
              aria-current={version.version === shown ? 'page' : undefined}
            >
              {words.number(version.version)}
            </Link>
            <VersionMark version={version} />
            <span className={classes.second}>
              <Revealed text={authorName(version)} />, <RowAge at={version.createdAt} />
            </span>
            {version.note !== '' && (
              <span className={classes.second}>
                <Revealed text={version.note} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Version with its author, reviewer and publisher. */
function VersionSummary({ detail }: { detail: PolicyDetail }) {
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

/** Text of unknown origin, in a line of code with its indentation. */
const RevealedCode = memo(function RevealedCode({ text, line }: { text: string; line: string }) {
  return <bdi className={revealedCodeClasses.revealed}>{show(revealCode(text, line))}</bdi>;
});

/** A line of one version, with its changed parts marked. */
export interface DifferenceLine {
  number: number;
  parts: { text: string; isChanged: boolean }[];
}

/** Equal lines, or removed lines and their replacement. */
type DifferenceBlock =
  { kind: 'same'; lines: DifferenceLine[] } | { kind: 'change'; removed: DifferenceLine[]; added: DifferenceLine[] };

/** Differences between two texts, by lines, in their order. */
export function differenceOf(before: string, after: string): DifferenceBlock[] {
  const [a, b] = [DifferenceText.of(before.split('\n')), DifferenceText.of(after.split('\n'))];
  const blocks: DifferenceBlock[] = [];
  let at = 0;
  for (const chunk of Chunk.build(a, b)) {
    addSame(blocks, a, at, chunk.fromA);
    const { changes, fromA, fromB, endA, endB } = chunk;
    const removed = changes.map((change) => ({ from: fromA + change.fromA, to: fromA + change.toA }));
    const added = changes.map((change) => ({ from: fromB + change.fromB, to: fromB + change.toB }));
    blocks.push({
      kind: 'change',
      removed: fromA === chunk.toA ? [] : linesIn(a, fromA, endA, removed),
      added: fromB === chunk.toB ? [] : linesIn(b, fromB, endB, added),
    });
    at = chunk.toA;
  }
  addSame(blocks, a, at, a.length + 1);
  return blocks;
}

interface Span {
  from: number;
  to: number;
}

/** Adds equal lines; `to` is the beginning of the first line that differs, or past the end of the text. */
function addSame(blocks: DifferenceBlock[], text: DifferenceText, from: number, to: number): void {
  if (to > from) blocks.push({ kind: 'same', lines: linesIn(text, from, to - 1, []) });
}

function linesIn(text: DifferenceText, from: number, to: number, changes: Span[]): DifferenceLine[] {
  const lines: DifferenceLine[] = [];
  for (let { number } = text.lineAt(from); number <= text.lines; number += 1) {
    const line = text.line(number);
    if (line.from > to) break;
    lines.push({ number, parts: partsOf(line, changes) });
  }
  return lines;
}

function partsOf(line: Span & { text: string }, changes: Span[]): DifferenceLine['parts'] {
  const parts: DifferenceLine['parts'] = [];
  let at = line.from;
  const add = (to: number, isChanged: boolean) => {
    if (to > at) parts.push({ text: line.text.slice(at - line.from, to - line.from), isChanged });
    at = Math.max(at, to);
  };
  for (const { from, to } of changes) {
    add(Math.min(Math.max(from, line.from), line.to), false);
    add(Math.min(Math.max(to, line.from), line.to), true);
  }
  add(line.to, false);
  return parts;
}

/** Joins the parts of a word with letters of several scripts: it is changed if any of it is. */
export function wholeWords(parts: DifferenceLine['parts']): DifferenceLine['parts'] {
  const line = parts.map(({ text }) => text).join('');
  if (/^[\x20-\x7E]*$/.test(line)) return parts;
  const flags = parts.flatMap(({ text, isChanged }) => Array.from({ length: text.length }, () => isChanged));
  let at = 0;
  const whole: DifferenceLine['parts'] = [];
  for (const text of line.match(/[\p{L}\p{M}\p{N}\p{C}]+|[^\p{L}\p{M}\p{N}\p{C}]/gu) ?? []) {
    const isChanged = flags.slice(at, at + text.length).includes(true);
    at += text.length;
    const last = whole.at(-1);
    if (last?.isChanged === isChanged) last.text += text;
    else whole.push({ text, isChanged });
  }
  return whole;
}

interface DifferenceProps {
  before: string;
  after: string;
  /** Names of the two sides. */
  names: { before: string; after: string };
}

/** Two texts side by side, or one above the other on a narrow screen; equal parts are folded. */
export function Difference({ before, after, names }: DifferenceProps) {
  const blocks = useMemo(() => differenceOf(before, after), [before, after]);
  if (before === after) return <p>{differenceWords.none}</p>;
  return (
    <div className={differenceClasses.difference}>
      <div className={differenceClasses.names} aria-hidden="true">
        <span>{names.before}</span>
        <span>{names.after}</span>
      </div>
      {blocks.map((block, at) =>
        block.kind === 'same' ? (
          <SameLines key={at} lines={block.lines} isFirst={at === 0} isLast={at === blocks.length - 1} />
        ) : (
          <Change key={at} block={block} names={names} />
        ),
      )}
    </div>
  );
}

/** Unchanged lines around a change, which show its place. */
const context = 3;

function SameLines({ lines, isFirst, isLast }: { lines: DifferenceLine[]; isFirst: boolean; isLast: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const head = isFirst ? 0 : context;
  const tail = isLast ? 0 : context;
  const folded = lines.length - head - tail;
  if (isOpen || folded <= context) return <Lines lines={lines} />;
  return (
    <>
      <Lines lines={lines.slice(0, head)} />
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        className={differenceClasses.fold}
        onClick={() => setIsOpen(true)}
      >
        {differenceWords.equal(folded)}
      </Button>
      <Lines lines={lines.slice(lines.length - tail)} />
    </>
  );
}

function Change({ block, names }: { block: DifferenceBlock & { kind: 'change' }; names: DifferenceProps['names'] }) {
  return (
    <div className={differenceClasses.change}>
      <div className={differenceClasses.removed}>
        {block.removed.length > 0 && (
          <Side lines={block.removed} sign="−" word={`${differenceWords.removed}, ${names.before}`} />
        )}
      </div>
      <div className={differenceClasses.added}>
        {block.added.length > 0 && (
          <Side lines={block.added} sign="+" word={`${differenceWords.added}, ${names.after}`} />
        )}
      </div>
    </div>
  );
}

function Side({ lines, sign, word }: { lines: DifferenceLine[]; sign: '+' | '−'; word: string }) {
  return (
    <>
      <span className={unseen.unseen}>{word}:</span>
      <Lines lines={lines} sign={sign} />
    </>
  );
}

const Lines = ({ lines, sign }: { lines: DifferenceLine[]; sign?: '+' | '−' }) => (
  <pre className={differenceClasses.lines}>
    {lines.map(({ number, parts }) => (
      <span key={number} className={differenceClasses.line}>
        <span className={differenceClasses.number} aria-hidden="true">
          {number}
        </span>
        <span className={differenceClasses.sign} aria-hidden="true">
          {sign}
        </span>
        <span className={differenceClasses.text}>
          <DifferenceParts parts={parts} />
          {'\n'}
        </span>
      </span>
    ))}
  </pre>
);

/** Compared text with hidden characters spelled out; a word is judged whole, even if only one letter changed. */
function DifferenceParts({ parts }: Pick<DifferenceLine, 'parts'>) {
  const line = parts.map(({ text }) => text).join('');
  return wholeWords(parts).map(({ text, isChanged }, at) => {
    const shown = <RevealedCode text={text} line={line} />;
    return isChanged ? <mark key={at}>{shown}</mark> : <span key={at}>{shown}</span>;
  });
}
