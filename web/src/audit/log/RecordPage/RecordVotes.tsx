import { channels, isChat } from '#notify/chat/contract';
import type { RequestRecord } from '#audit/search/contract';
import { colon } from '../../../language/words/words.ts';
import { formats } from '../../../language/language.ts';
import page from '../../../ui/Page.module.css';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { codes, record as words } from '../words/words.ts';
import { Code, Fact, FactList } from '../../../ui/FactList.tsx';
import { Instant } from '../Instant/Instant.tsx';
import classes from '../Record.module.css';

type Vote = RequestRecord['votes'][number];
type Names = RequestRecord['names'];

/** Each vote: whose, how they had signed in, when, and on which digest; and each edit before and between them. */
export function RecordVotes({ record: { votes, edits, names } }: { record: RequestRecord }) {
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
