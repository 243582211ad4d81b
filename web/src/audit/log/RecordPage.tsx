import { Button } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { auditRoutes, type RequestRecord as Record, type RequestRecord as RecordAnswer } from '#audit/search/contract';
import { colon } from '../../language/words/words.ts';
import { Notice } from '../../ui/Notice.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { Printed, Instant } from './Instant.tsx';
import { record as words, codes, facts as entryFactsWords, log, types, columns as heads } from './words/words.ts';
import classes from './Record.module.css';
import { useQuery } from '@tanstack/react-query';
import { isProblemOf } from '../../client/call-api.ts';
import { query } from '../../client/call.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { MissingPage } from '../../shell/MissingPage.tsx';
import { formats } from '../../language/language.ts';
import { describeMoment } from '../../ui/relative-time.ts';
import { Cross, Ring, Tick } from '../../ui/icons.tsx';
import page from '../../ui/Page.module.css';
import { actorName } from './actor-name.ts';
import { RiskMark, StatusMark } from '../../ui/marks.tsx';
import { namePolicy } from '../../ui/words/words.ts';
import { Code, Fact, FactList } from '../../ui/FactList.tsx';
import { ProofNotice } from './ProofNotice.tsx';
import { channels, isChat } from '#notify/chat/contract';

/** The record of a request on the screen, and the receipt with names on paper. */
export function RequestRecord({ record }: { record: Record }) {
  const print = (
    <Button variant="default" className={classes.screen} onClick={() => window.print()}>
      {words.print}
    </Button>
  );
  const heading = <Revealed text={words.of(record.tool)} />;
  const isBroken = record.entries.some(({ proof }) => proof === 'broken');
  return (
    <article className={classes.record}>
      <PageHead title={words.of(record.tool)} heading={heading} lead={words.lead} back={back} action={print} />
      {isBroken && (
        <Notice tone="danger" title={words.broken}>
          <p>{words.brokenNote}</p>
        </Notice>
      )}
      <RecordFacts record={record} />
      <p className={classes.screen}>
        <Link to={`/requests/${record.id}`}>{words.content}</Link>
        {colon} {words.contentNote}
      </p>
      <RecordVotes record={record} />
      <RecordEntries record={record} />
      <RecordProof record={record} />
      <Printed />
    </article>
  );
}

/** All entries of one request in the log. */
export function RecordPage() {
  const { id = '' } = useParams();
  const record = useQuery(query(auditRoutes.showRecord, { params: { id } }));
  if (isProblemOf(record.error, 'not-found') || isProblemOf(record.error, 'INVALID_INPUT'))
    return <MissingPage words={words} back={back} />;
  return <Loaded query={record}>{(answer) => <RequestRecord record={answer} />}</Loaded>;
}

const back = { to: '/audit/log', text: words.back };

type FactEntry = NonNullable<RecordAnswer['entries'][number]['entry']>;

/** Facts of an entry that neither its line nor the page above the timeline shows. */
export const entryFacts = (entry: FactEntry, names: Names): { name: string; value: string }[] =>
  Object.entries(entry)
    .filter(([key, value]) => !isShown(key, entry.type) && value !== null)
    .map(([key, value]) => ({ name: entryFactsWords[key] ?? key, value: formatFact(key, value, names) }));

const ownParts = ['v', 'id', 'at', 'type', 'actor', 'rows', 'elicitation', 'server', 'serverName', 'tool'];
const questionParts = ['digest', 'revision', 'policy', 'risk', 'requester', 'requesters', 'from', 'to', 'waited'];
const voteParts = ['vote', 'seen', 'meanings', 'factor', 'issuer', 'keyMaker', 'for', 'channel'];
const accessParts = ['about', 'since'];

const isShown = (key: string, type: string): boolean =>
  [...ownParts, ...questionParts, ...accessParts].includes(key) ||
  (key === 'stage' && type !== 'elicitation.vote-withdrawn') ||
  (type === 'elicitation.voted' && voteParts.includes(key)) ||
  (type === 'elicitation.edited' && key === 'replaces');

function formatFact(key: string, value: unknown, names: Names): string {
  if (typeof value === 'string') return names[value] ?? codes[key === 'action' ? 'choice' : key]?.[value] ?? value;
  if (Array.isArray(value)) return formats.all(value.map((part) => formatFact(key, part, names)));
  if (typeof value === 'number') return formatNumber(key, value);
  if (typeof value === 'object' && value !== null)
    return Object.values(value)
      .map((part) => formatFact(key, part, names))
      .join(', ');
  return String(value);
}

function formatNumber(key: string, value: number): string {
  if (isTime(key)) return describeMoment(value, 'UTC');
  if (key === 'allowFor') return formats.duration(value);
  return formats.number(stages.includes(key) ? value + 1 : value);
}

/** Members counted from 1. */
const stages = ['stage', 'of', 'reopens'];

const isTime = (key: string): boolean => key.endsWith('At') || key === 'notBefore' || key === 'until';

type Entry = RecordAnswer['entries'][number];

/** Every entry in the order of the log, with its place and whether the signed head covers it. */
const RecordEntries = ({ record: { entries, names } }: { record: RecordAnswer }) => (
  <section aria-label={words.timeline} className={classes.section}>
    <h2 className={page.subtitle}>{words.timeline}</h2>
    <ol className={classes.list}>
      {entries.map((row, at) => (
        <EntryItem key={row.entry?.id ?? at} row={row} names={names} />
      ))}
    </ol>
  </section>
);

function EntryItem({ row: { place, proof, entry }, names }: { row: Entry; names: RecordAnswer['names'] }) {
  const Shape = shapes[proof];
  return (
    <li className={classes.item}>
      <p className={classes.what}>{entry ? <Deed entry={entry} names={names} /> : log.unreadable}</p>
      {entry && (
        <p>
          <Instant at={Date.parse(entry.at)} />
        </p>
      )}
      <p className={classes.proof} data-proof={proof}>
        <Shape />
        {place === null ? '' : `${log.entry(place + 1)}${colon} `}
        {words.proofs[proof]}
      </p>
      {(entry ? entryFacts(entry, names) : []).map(({ name, value }) => (
        <p key={name} className={classes.detail}>
          {name}
          {colon} <Revealed text={value} />
        </p>
      ))}
    </li>
  );
}

const Deed = ({ entry, names }: { entry: NonNullable<Entry['entry']>; names: RecordAnswer['names'] }) => (
  <>
    {types[entry.type] ?? entry.type}
    {colon} <Revealed text={actorName(entry.actor, names)} />
  </>
);

const shapes = { verified: Tick, waiting: Ring, broken: Cross };

/** Facts of the request: requester, call, policy and end. */
function RecordFacts({ record }: { record: RecordAnswer }) {
  const { id, server, tool, risk, policy, digest, revision, status, cause, openedAt, deadlineAt, closedAt } = record;
  return (
    <FactList>
      <Fact name={log.request}>
        <Code text={id} />
      </Fact>
      <Fact name={log.outcome}>
        <StatusMark status={status} cause={cause} />
      </Fact>
      <Fact name={heads['tool'] ?? ''}>
        <Revealed text={tool} />, <RiskMark risk={risk} />
      </Fact>
      <Fact name={heads['server'] ?? ''}>
        <Revealed text={server} />
      </Fact>
      <Fact name={words.requester}>
        <Requester record={record} />
      </Fact>
      <Fact name={heads['policy'] ?? ''}>{words.policy(namePolicy(policy))}</Fact>
      <Fact name={heads['asked_at'] ?? ''}>
        <Instant at={openedAt} />
      </Fact>
      <Fact name={closedAt === null ? words.deadline : (heads['decided_at'] ?? '')}>
        <Instant at={closedAt ?? deadlineAt} />
      </Fact>
      <Fact name={log.digest}>
        <Code text={digest} /> {words.revision(revision)}
      </Fact>
      <Passed record={record} />
    </FactList>
  );
}

function Requester({ record: { requester, requesters, names } }: { record: RecordAnswer }) {
  const people = requesters.map((id) => names[id] ?? id);
  return (
    <>
      <Revealed text={people.length === 0 ? words.unknown : words.people(people)} /> <Code text={requester} />
    </>
  );
}

/** How it passed the stages of its policy, if it did. */
function Passed({ record: { override, grant, names } }: { record: RecordAnswer }) {
  const nameOf = (person: string | null): string => (person === null ? '' : (names[person] ?? person));
  return (
    <>
      {grant && (
        <Fact name={heads['grant_id'] ?? ''}>
          {grant.isGiven ? words.given : words.used} <Code text={grant.id} />
        </Fact>
      )}
      {override && (
        <Fact name={words.override}>
          <Revealed text={nameOf(override.by)} />, <Instant at={override.at} />
        </Fact>
      )}
      {override && (
        <Fact name={words.review}>
          {override.review === null ? words.reviewDue : words.found(override.review.isJustified)}{' '}
          {override.review && <Revealed text={nameOf(override.review.by)} />}{' '}
          <Instant at={override.review?.at ?? override.reviewDueAt} />
        </Fact>
      )}
    </>
  );
}

/** The signed head of the verified entries, and the way to verify them again. */
function RecordProof({ record: { id, status, head } }: { record: RecordAnswer }) {
  return (
    <section aria-label={words.proof} className={classes.section}>
      <h2 className={page.subtitle}>{words.proof}</h2>
      {head && (
        <FactList>
          <Fact name={words.head}>{words.size(head.size)}</Fact>
          <Fact name={words.root}>
            <Code text={head.root} />
          </Fact>
        </FactList>
      )}
      <ProofNotice />
      <p>{words.offline}</p>
      <p>
        <Code text={`assentry receipt verify ${id}.tlog-proof --key KEY`} />
      </p>
      {status !== 'open' && (
        <a href={`/api/elicitations/${id}/receipt`} download className={classes.screen}>
          {words.receipt}
        </a>
      )}
    </section>
  );
}

type Vote = RecordAnswer['votes'][number];
type Names = RecordAnswer['names'];

/** Each vote with its person, sign-in, time and digest; and each edit before and between them. */
function RecordVotes({ record: { votes, edits, names } }: { record: RecordAnswer }) {
  return (
    <section aria-label={words.votes} className={classes.section}>
      <h2 className={page.subtitle}>{words.votes}</h2>
      {votes.length === 0 && <p>{words.noVotes}</p>}
      <ol className={classes.list}>
        {votes.map((vote) => (
          <VoteItem key={`${vote.by} ${vote.at}`} vote={vote} names={names} />
        ))}
      </ol>
      {edits.map(({ at, by, revision, from, to }) => (
        <FactList key={revision}>
          <Fact name={words.edited(revision)}>
            <Revealed text={by === null ? '' : (names[by] ?? by)} />, <Instant at={at} />
          </Fact>
          <Fact name={words.from}>
            <Code text={from} />
          </Fact>
          <Fact name={words.to}>
            <Code text={to} />
          </Fact>
        </FactList>
      ))}
    </section>
  );
}

function VoteItem({ vote, names }: { vote: Vote; names: Names }) {
  const nameOf = (person: string): string => names[person] ?? person;
  return (
    <li className={`${classes.item} ${classes.wide}`}>
      <p className={classes.what}>
        {codes['choice']?.[vote.action]}
        {colon} <Revealed text={nameOf(vote.by)} />
        {vote.for !== null && (
          <>
            {' '}
            <Revealed text={words.inPlaceOf(nameOf(vote.for))} />
          </>
        )}
      </p>
      <p>
        <Instant at={vote.at} />
      </p>
      <p>{factsOf(vote, nameOf)}</p>
      <p>
        {words.seen} <Code text={vote.seen} />
      </p>
      {vote.voidAt !== null && (
        <p className={classes.void}>
          {words.void} <Instant at={vote.voidAt} />
        </p>
      )}
    </li>
  );
}

function factsOf(vote: Vote, nameOf: (id: string) => string): string {
  const { stage, revision, meanings, factor, isSigned, issuer, keyMaker, inChat } = vote;
  const signature = meanings.map((meaning) => words.meanings[meaning]);
  const parts = [
    words.stage(stage),
    words.revision(revision),
    ...(signature.length > 0 ? [words.signed(formats.all(signature))] : []),
    ...(factor === null ? [] : [isChat(factor) ? words.inChatAs(channels[factor].label) : words.factors[factor]]),
    ...(isSigned ? [words.byDevice] : []),
    ...(issuer === null ? [] : [words.issuer(nameOf(issuer))]),
    ...(keyMaker === null ? [] : [words.keyMaker(nameOf(keyMaker))]),
    ...(inChat ? [words.inChat] : []),
  ];
  return parts.join(' · ');
}
