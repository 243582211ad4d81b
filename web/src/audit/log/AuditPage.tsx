import { colon } from '../../language/words/words.ts';
import { may } from '../../people/roles/permission-table.ts';
import { Link, useNavigate } from 'react-router';
import { isByServer, reportIds, maxReceiptLength, reportFilters, type ReportId } from '#audit/reports/contract/report';
import { useUser } from '../../people/users/use-user.ts';
import { Notice, ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import classes from './Audit.module.css';
import { ProofNotice } from './ProofNotice.tsx';
import {
  holds,
  log,
  questions,
  words,
  grammar,
  line,
  codes,
  receipt as receiptCheckWords,
  types,
} from './words/words.ts';
import { Button, TextInput } from '@mantine/core';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useId, useState, type SubmitEvent, type DragEvent } from 'react';
import { serverNow } from '../../client/call-api.ts';
import { usersQuery } from '../../people/users/directory-queries.ts';
import { formatQuestion } from './format-question.ts';
import { searchOf, draftIn, fieldsOf, isAboutMoment, isDay, type ReportDraft } from './report-search.ts';
import { auditRoutes, type VerifiedReceipt } from '#audit/search/contract';
import { call } from '../../client/call.ts';
import { describeMoment } from '../../ui/relative-time.ts';
import { Fact, FactList } from '../../ui/FactList.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { namePolicy } from '../../ui/words/words.ts';
import { actorName } from './actor-name.ts';
import { nearestName } from '#platform/text/nearest-name';
import type { grammar as english, line as englishLine, grammar as periodGrammar } from '#locales/audit-line.en';

/** Common questions of reviewers. */
export function AuditPage() {
  const user = useUser();
  // Readers of some servers only have the questions about requests.
  const isAll = may(user, 'read-log').allowed;
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      {!user?.reads.log ? (
        <Notice tone="warn" title={words.reviewersOnly} />
      ) : (
        <>
          {isAll && <ProofNotice />}
          <QuestionLine />
          <Questions isAll={isAll} />
          <p>
            <Link to="/audit/log">{log.title}</Link>
            {colon} {log.note}
          </p>
          {isAll && (
            <>
              <p>
                <Link to="/audit/holds">{holds.link}</Link>
                {colon} {holds.note}
              </p>
              <ReceiptCheck />
            </>
          )}
        </>
      )}
    </div>
  );
}

const Questions = ({ isAll }: { isAll: boolean }) => (
  <ul aria-label={words.questions} className={classes.questions}>
    {reportIds
      .filter((id) => isAll || isByServer(id))
      .map((id) => (
        <li key={id}>
          <Link to={`/audit/${id}`} className={classes.question}>
            <span className={classes.title}>{questions[id].title}</span>
            <span className={classes.note}>{questions[id].note}</span>
          </Link>
        </li>
      ))}
  </ul>
);

/** One box for every question: it shows how it reads the line, and leads to the answer, where all of it can be changed. */
function QuestionLine() {
  const navigate = useNavigate();
  const people = useQuery(usersQuery).data ?? [];
  const [text, setText] = useState('');
  const [isTried, setIsTried] = useState(false);
  const [now] = useState(serverNow);
  const id = useId();
  const question = readQuestion(text, { grammar, line, titles: questions, labels: words, people, now });
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    setIsTried(true);
    if (question.ok) void navigate(`/audit/${question.id}?${searchOf(question.id, question.draft).toString()}`);
  };
  const change = (next: string): void => {
    setText(next);
    setIsTried(false);
  };
  return (
    <form onSubmit={onSubmit} className={classes.line} role="search" noValidate>
      <TextInput
        label={line.label}
        description={line.example}
        value={text}
        error={isTried && !question.ok}
        aria-describedby={id}
        onChange={(event) => change(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" variant="default">
        {line.ask}
      </Button>
      <p id={id} role="status" className={classes.note}>
        {question.ok && formatQuestion(question, people)}
        {!question.ok && isTried && question.fault}
      </p>
    </form>
  );
}

/** Checks whether this installation issued a receipt, and what it proves. */
function ReceiptCheck() {
  const [isOver, setIsOver] = useState(false);
  const check = useMutation({
    mutationFn: async (file: File) =>
      file.size > maxReceiptLength ? null : call(auditRoutes.verifyReceipt, { body: { receipt: await file.text() } }),
  });
  const take = (files: FileList | null): void => {
    const file = files?.[0];
    if (file) check.mutate(file);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files);
  };
  const onDragOver = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <section aria-labelledby="receipt" className={classes.receipt}>
      <h2 id="receipt" className={page.subtitle}>
        {receiptCheckWords.title}
      </h2>
      <label
        className={classes.drop}
        data-over={isOver}
        onDragOver={onDragOver}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
      >
        <span>{receiptCheckWords.note}</span>
        <input
          type="file"
          aria-label={receiptCheckWords.choose}
          accept=".tlog-proof,text/plain"
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            currentTarget.value = ''; // the same file can be chosen again
          }}
        />
      </label>
      <div role="status">
        {check.isError && <ProblemNotice error={check.error} />}
        {check.data === null && <Notice tone="warn" title={receiptCheckWords.tooLong} />}
        {check.data && <Verdict verified={check.data} fileName={check.variables.name} />}
      </div>
    </section>
  );
}

const tones = { genuine: 'good', altered: 'danger' } as const;

interface VerdictProps {
  verified: VerifiedReceipt;
  /** Name of the file, the first of several dropped: receipts look alike. */
  fileName: string;
}

function Verdict({ verified: { verdict, origin, proven, names }, fileName }: VerdictProps) {
  const tone = verdict === 'genuine' || verdict === 'altered' ? tones[verdict] : 'warn';
  return (
    <Notice tone={tone} title={receiptCheckWords.verdicts[verdict]}>
      <p className={page.small}>
        <Revealed text={fileName} />
      </p>
      {verdict !== 'genuine' && <p>{receiptCheckWords.notes[verdict]}</p>}
      {verdict === 'not-ours' && origin !== null && (
        <p>
          <Revealed text={receiptCheckWords.from(origin)} />
        </p>
      )}
      {proven && <Proven proven={proven} names={names} />}
    </Notice>
  );
}

function Proven({
  proven: { place, size, entry },
  names,
}: Pick<VerifiedReceipt, 'names'> & { proven: NonNullable<VerifiedReceipt['proven']> }) {
  const textOf = (name: string): string => (typeof entry[name] === 'string' ? entry[name] : '');
  const outcome = codes['outcome']?.[textOf('to')];
  const facts: [string, string][] = [
    [
      receiptCheckWords.outcome,
      [outcome, types[entry.type] ?? entry.type].filter((part) => part !== undefined).join(' · '),
    ],
    [receiptCheckWords.by, actorName(entry.actor, names)],
    [receiptCheckWords.when, describeMoment(Date.parse(entry.at))],
    [receiptCheckWords.tool, [textOf('tool'), textOf('serverName')].filter((part) => part !== '').join(' · ')],
    [receiptCheckWords.policy, namePolicy(textOf('policy'))],
    [receiptCheckWords.digest, textOf('digest')],
    [receiptCheckWords.place, receiptCheckWords.placeOf(place + 1, size)],
  ];
  return (
    <FactList>
      {facts.map(([name, value]) => (
        <Fact key={name} name={name}>
          <Revealed text={value} />
        </Fact>
      ))}
      <Fact name={receiptCheckWords.request}>
        <Link to={`/audit/requests/${textOf('elicitation')}`} className={classes.id}>
          {textOf('elicitation')}
        </Link>
      </Fact>
    </FactList>
  );
}

type Grammar = typeof english;

export interface Reading {
  grammar: Grammar;
  /** Sentences about faults. */
  line: typeof englishLine;
  /** The title of a question, and the label of a filter. */
  titles: Record<ReportId, { title: string }>;
  labels: Record<string, unknown>;
  people: readonly { id: string; name: string; email: string }[];
  /** Milliseconds since 1970. */
  now: number;
}

export type ReadQuestion = { ok: true; id: ReportId; draft: ReportDraft } | { ok: false; fault: string };

/** The parts read so far, and the rest of the line. */
interface State {
  ids: { id: ReportId; phrase: string }[];
  set: Partial<ReportDraft>;
  /** Is `to` a named day, and not the end of a period? */
  isMoment?: boolean;
  rest: string;
}

class Fault extends Error {}

/**
 * Reads a question in one line, by a fixed grammar: its subject and its filters, in any order. An unknown word is a fault, so
 * that the answer is never about another question.
 */
export function readQuestion(text: string, reading: Reading): ReadQuestion {
  try {
    let state: State = {
      ids: [],
      set: {},
      rest: text
        .replace(/[\s?]+$/, '')
        .trim()
        .replaceAll(/\s+/g, ' '),
    };
    while (state.rest !== '') state = step(state, reading);
    return questionOf(state, reading);
  } catch (error) {
    if (error instanceof Fault) return { ok: false, fault: error.message };
    throw error;
  }
}

/** Takes the next phrase of the line. */
function step(state: State, reading: Reading): State {
  const { grammar } = reading;
  return (
    takeQuestion(state, grammar) ??
    takeOutcome(state, reading) ??
    takeHours(state, reading) ??
    takePeriod(state, reading) ??
    takeFilter(state, reading) ??
    takeEmpty(state, grammar) ??
    refuse(state, reading)
  );
}

/** Adds a filter; a repeated one is a fault, because it would silently replace the first. */
function narrowed(state: State, set: Partial<ReportDraft>, rest: string, { line }: Reading): State {
  const isAgain = Object.keys(set).some((key) => key in state.set);
  const phrase = state.rest.slice(0, state.rest.length - rest.length).trim();
  if (isAgain) throw new Fault(line.again(phrase));
  return { ...state, set: { ...state.set, ...set }, rest };
}

function takeQuestion(state: State, { questions }: Grammar): State | null {
  const match = matchPhrase(state.rest, questions);
  return match && { ...state, ids: [...state.ids, { id: match.key, phrase: match.phrase }], rest: match.rest };
}

function takeOutcome(state: State, reading: Reading): State | null {
  const match = matchPhrase(state.rest, reading.grammar.outcomes);
  return match && narrowed(state, { outcome: match.key }, match.rest, reading);
}

function takePeriod(state: State, reading: Reading): State | null {
  const { grammar, line, now } = reading;
  const dated = (period: Partial<Period>, rest: string) => narrowed(state, period, rest, reading);
  const days = new RegExp(grammar.lastDays).exec(state.rest.toLowerCase());
  if (days && Number(days[1]) === 0) throw new Fault(line.noDays);
  if (days) return dated(periodOf({ days: Number(days[1]) }, now), after(state.rest, days[0]));
  const period = matchPhrase(state.rest, grammar.periods);
  if (period) return dated(periodOf(period.key, now), period.rest);
  const end = matchPhrase(state.rest, { from: grammar.since, to: grammar.until, on: grammar.onDay });
  if (!end) return null;
  const [day, rest] = firstWord(end.rest);
  if (isDay(day) && end.key === 'on') return { ...dated({ from: day, to: day }, rest), isMoment: true };
  if (isDay(day)) return dated({ [end.key]: day }, rest);
  // A word for a day may also be one for a filter.
  if (end.key === 'on' && matchPhrase(state.rest, grammar.filters)) return null;
  throw new Fault(line.noDate(end.phrase));
}

function takeHours(state: State, reading: Reading): State | null {
  const { grammar, line } = reading;
  const night = matchPhrase(state.rest, { night: grammar.night });
  if (night) return narrowed(state, { hours: '22-6' }, night.rest, reading);
  const hours = new RegExp(grammar.hours).exec(state.rest.toLowerCase());
  if (!hours) return null;
  const [since, until] = [Number(hours[1]), Number(hours[2])];
  if (since > 23 || until < 1 || until > 24 || since === until) throw new Fault(line.wrongHours);
  return narrowed(state, { hours: `${since}-${until}` }, after(state.rest, hours[0]), reading);
}

function takeFilter(state: State, reading: Reading): State | null {
  const match = matchPhrase(state.rest, reading.grammar.filters);
  if (!match) return null;
  const { key, phrase, rest: value } = match;
  if (value === '') throw new Fault(reading.line.noValue(phrase));
  const [name, rest] = key === 'person' ? personIn(value, reading) : nameIn(value);
  return narrowed(state, { [key]: name }, rest, reading);
}

/** A name is a word, or several in quotes. */
function nameIn(rest: string): [name: string, rest: string] {
  const quoted = /^["“„«]\s?([^"”“»]+?)\s?["”“»] ?/.exec(rest);
  return quoted ? [quoted[1] ?? '', rest.slice(quoted[0].length)] : firstWord(rest);
}

/** The person with whose name or address the rest begins. */
function personIn(rest: string, { people, line }: Reading): [id: string, rest: string] {
  const called = (namesOf: (person: Reading['people'][number]) => string[]) =>
    matchPhrase(rest, Object.fromEntries(people.map((person) => [person.id, namesOf(person)])));
  const byWhole = called(({ name, email }) => [name, email]);
  const byPart = ({ name }: { name: string }) => name.split(' ');
  const person = byWhole ?? called(byPart);
  const namesakes = people.filter((other) =>
    (byWhole ? [other.name] : byPart(other)).some((name) => plain(name) === plain(person?.phrase ?? '')),
  );
  if (person && namesakes.length > 1) throw new Fault(line.namesakes(person.phrase));
  if (person) return [person.key, person.rest];
  const [name] = nameIn(rest);
  const parts = people.flatMap((near) => near.name.split(' ').map((part) => [part, near.name] as const));
  const whole = new Map([...parts, ...people.map((near) => [near.name, near.name] as const)]);
  throw new Fault(line.noPerson(name, whole.get(nearestName(name, whole.keys()) ?? '') ?? null));
}

const takeEmpty = (state: State, { empty }: Grammar): State | null => {
  const match = matchPhrase(state.rest, { empty });
  return match && { ...state, rest: match.rest };
};

function refuse({ rest }: State, { grammar, line }: Reading): never {
  const [word] = firstWord(rest);
  const all = [
    ...Object.values(grammar.questions),
    ...Object.values(grammar.outcomes),
    ...Object.values(grammar.filters),
    ...Object.values(grammar.periods),
    grammar.since,
    grammar.until,
    grammar.onDay,
  ].flat();
  throw new Fault(line.unknown(word, nearestName(word, all)));
}

/** The question; decisions in under five seconds are one of their own. */
function questionOf({ ids, set, isMoment }: State, reading: Reading): ReadQuestion {
  const { titles, labels, line, now } = reading;
  const isQuick = ids.some(({ id }) => id === 'hasty');
  const named = ids.filter(({ id }) => !(isQuick && ['approvals', 'requests'].includes(id)));
  const [first, second] = set.outcome === undefined ? named : asRequests(named, set.outcome);
  if (!first) throw new Fault(line.noQuestion);
  if (second) throw new Fault(line.twoQuestions(first.phrase, second.phrase));
  const { id } = first;
  for (const filter of reportFilters) {
    const label = labelOf(labels, filter);
    if (set[filter] !== undefined && !fieldsOf[id].includes(filter))
      throw new Fault(line.notNarrowed(titles[id].title, label, label.toLowerCase()));
  }
  refusePeriod(set, reading);
  if (isAboutMoment(id)) return { ok: true, id, draft: momentOf(id, set, isMoment === true, reading) };
  return { ok: true, id, draft: { ...draftIn(id, new URLSearchParams(), now), ...set } };
}

/** Questions about outcomes are about requests, also if an approval was never used. */
function asRequests(ids: State['ids'], outcome: string): State['ids'] {
  const isOfApproval = outcome === 'lapsed' || outcome === 'revoked';
  const others = ids.filter(({ id }) => id !== 'requests' && !(isOfApproval && id === 'approvals'));
  return others.length > 0 ? others : [{ id: 'requests', phrase: '' }];
}

/** Refuses a period without a past moment, which has no answer. */
function refusePeriod({ from, to }: Partial<ReportDraft>, { line, now }: Reading): void {
  const today = new Date(now).toISOString().slice(0, 10);
  if (from !== undefined && from > today) throw new Fault(line.notYet(from));
  if (from !== undefined && to !== undefined && to < from) throw new Fault(line.endsBefore(to, from));
}

/** The beginning of the named day, or now. */
function momentOf(
  id: ReportId,
  set: Partial<ReportDraft>,
  isDayNamed: boolean,
  { titles, line, now }: Reading,
): ReportDraft {
  const draft = draftIn(id, new URLSearchParams(), now);
  const { from, to, ...narrowing } = set;
  const isToday = from === to && to === draft.to.slice(0, 10);
  if (from !== undefined && !isDayNamed && !isToday) throw new Fault(line.oneTime(titles[id].title));
  if (to !== undefined && to > draft.to.slice(0, 10)) throw new Fault(line.notYet(to));
  return { ...draft, ...narrowing, to: to === undefined || isToday ? draft.to : `${to}T00:00` };
}

const labelOf = (labels: Record<string, unknown>, filter: string): string =>
  typeof labels[filter] === 'string' ? labels[filter] : filter;

/** The longest of these phrases with which the rest begins, as whole words. */
function matchPhrase<Key extends string>(rest: string, phrases: Readonly<Record<Key, readonly string[]>>) {
  const [longest] = Object.entries<readonly string[]>(phrases)
    .flatMap(([key, all]) => all.map((phrase) => ({ key: key as Key, phrase })))
    .filter(({ phrase }) => `${plain(rest)} `.startsWith(`${plain(phrase)} `))
    .toSorted((a, b) => b.phrase.length - a.phrase.length);
  return longest ? { ...longest, rest: after(rest, longest.phrase) } : null;
}

/** Text in lower case, with plain apostrophes. */
const plain = (text: string): string => text.toLowerCase().replaceAll('’', "'");

const after = (rest: string, phrase: string): string => rest.slice(phrase.length).trimStart();

function firstWord(rest: string): [word: string, rest: string] {
  const [word = ''] = rest.split(' ', 1);
  return [word, rest.slice(word.length).trimStart()];
}

/** The first and the last day, in UTC, as in `2026-11-25`. */
export interface Period {
  from: string;
  to: string;
}

const dayMs = 86_400_000;

/** Days of a period: weeks begin on Monday, and the last days include today. */
export function periodOf(period: keyof typeof periodGrammar.periods | { days: number }, now: number): Period {
  const today = new Date(now - (now % dayMs));
  if (typeof period === 'object') return between(new Date(+today - (period.days - 1) * dayMs), today);
  const monday = new Date(+today - ((today.getUTCDay() + 6) % 7) * dayMs);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  switch (period) {
    case 'today':
      return between(today, today);
    case 'yesterday':
      return between(new Date(+today - dayMs), new Date(+today - dayMs));
    case 'thisWeek':
      return between(monday, today);
    case 'lastWeek':
      return between(new Date(+monday - 7 * dayMs), new Date(+monday - dayMs));
    case 'thisMonth':
      return between(new Date(Date.UTC(year, month, 1)), today);
    case 'lastMonth':
      return between(new Date(Date.UTC(year, month - 1, 1)), new Date(Date.UTC(year, month, 0)));
  }
}

const between = (from: Date, to: Date): Period => ({ from: day(from), to: day(to) });
const day = (date: Date): string => date.toISOString().slice(0, 10);
