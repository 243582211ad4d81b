import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { Signal } from '#requests/inbox/contract/signal';
import { provenText } from '#requests/facts/contract/proven';
import { firstLineOf } from '../inbox/first-line.ts';
import { strayNumbers } from '../inbox/stray-numbers.ts';
import { Digits } from '../../ui/Digits.tsx';
import { VerifiedMark } from '../../ui/marks.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import {
  countHidden,
  factBefore,
  isCutAt,
  isNumberFact,
  isQuestionCut,
  maxOnCard,
  wholeFact,
  type Fact as KeyFact,
} from './decision-table.ts';
import { cardPart, questionPart, type Reading, requesterPart } from './use-answer.ts';
import { useComparison } from './MoreSteps.tsx';
import { card as words, signals, why, changed, nameHints, who, signals as signalsWords, what } from './words/words.ts';
import { splitAddress, deceptionsIn } from './url-facts.ts';
import type { SaidSignal } from './words/spoken.ts';
import { changedParts } from './changed-parts.ts';
import classes from './DecisionCard.module.css';
import { Section } from './Section.tsx';
import whyAskedClasses from './WhyAsked.module.css';
import { Button } from '@mantine/core';
import { useEffect, useRef, type ReactNode, useId, useState } from 'react';
import { Notice } from '../../ui/Notice.tsx';
import whoAsksClasses from './Facts.module.css';
import { Link } from 'react-router';
import { describeShortMoment, describeTimeOfDay } from '../../ui/relative-time.ts';
import signalsClasses from './Signals.module.css';
import { Triangle } from '../../ui/icons.tsx';
import urlWarningsClasses from './WhatRuns.module.css';
import partEndClasses from './PartEnd.module.css';

/** Subject of the decision, in the same block as the buttons: question, key facts, requester, and place. */
export function DecisionCard({ detail }: { detail: ElicitationDetail }) {
  const { tool, server, message, requester, facts, proven } = detail;
  const differences = useComparison(detail)?.differences ?? [];
  return (
    <>
      <div data-part="question" {...unit}>
        <p className={classes.soft}>
          <Revealed text={words.saidBy(server)} most={maxOnCard.value} />
        </p>
        <p className={classes.message}>
          <Revealed text={firstLineOf(message)} most={maxOnCard.question} />
          {isQuestionCut(message) && <More />}
        </p>
        <Stray detail={detail} />
      </div>
      <dl className={classes.facts}>
        {facts.map((fact) => (
          <Fact
            key={`${fact.label} ${fact.paths[0]}`}
            fact={fact}
            json={detail.arguments}
            was={factBefore(fact, detail.arguments, differences)}
          />
        ))}
        {proven.map((step) => (
          <div key={step.elicitation} data-part="proven" data-wide {...unit}>
            <dt>{words.confirms(step.kind, step.provider)}</dt>
            <dd className={classes.value}>
              <Cut text={provenText(step)} />
            </dd>
          </div>
        ))}
        <div data-part="requester" {...unit}>
          <dt>{words.requester}</dt>
          <dd>
            <Cut text={requester.subject} /> <VerifiedMark requester={requester} />
          </dd>
        </div>
        <div data-part="server" {...unit}>
          <dt>{words.tool}</dt>
          <dd>
            <code>
              <Cut text={tool.name} />
            </code>{' '}
            {words.on} <Cut text={server} />
            <PartEnd of={cardPart} />
          </dd>
        </div>
      </dl>
      <Signals detail={detail} />
      <NotShown detail={detail} />
    </>
  );
}

/** Numbers in the caller's sentence that the call does not contain. */
function Stray({ detail: { message, arguments: json } }: { detail: ElicitationDetail }) {
  const numbers = strayNumbers(firstLineOf(message), parse(json));
  return numbers.length === 0 ? null : <p className={classes.stray}>{words.stray(numbers)}</p>;
}

function NotShown({ detail }: { detail: ElicitationDetail }) {
  const hidden = countHidden(detail);
  if (hidden === 0) return null;
  return <p className={classes.soft}>{hidden === Infinity ? words.notShownAtAll : words.notShown(hidden)}</p>;
}

/** Characters that fit next to a value on a phone; a longer label goes above it. */
const widestLabel = 10;

/** Is there a verb of SQL other than the first word of the statement? */
const isVerbHidden = (text: string, verbs: string[]): boolean =>
  verbs.some((verb) => !text.trimStart().toUpperCase().startsWith(verb));

/** `was` is its value in the last approved call if it differs: null if it had none. */
function Fact({ fact, json, was }: { fact: KeyFact; json: string; was: string | null | undefined }) {
  const { label, source, value, members, verbs, minor } = fact;
  const text = wholeFact(fact, json);
  return (
    <div data-part="fact" {...unit} data-wide={isCutAt(label, widestLabel)}>
      <dt className={source === 'rule' ? classes.path : undefined}>
        <Cut text={label} most={maxOnCard.label} />
      </dt>
      <dd className={classes.value}>
        {text !== null && isVerbHidden(text, verbs) && <p className={classes.soft}>{words.verbs(verbs)}</p>}
        {text === null && (
          <span className={classes.soft}>{members === null ? words.absent : words.items(members)}</span>
        )}
        {text !== null && (
          <span data-at={JSON.stringify(minor === null ? fact.paths : fact.paths.slice(0, 1))}>
            {isNumberFact(fact, json) && !isCutAt(text, maxOnCard.value) ? (
              <Digits text={text} />
            ) : (
              <Text text={text} />
            )}
            {value === '' && <span className={classes.soft}>{words.empty}</span>}
          </span>
        )}
        {minor !== null && <span className={classes.soft}> {words.minor[minor.unit](minor.currency)}</span>}
        {was !== undefined && (
          <span className={classes.soft} data-was="">
            {' '}
            {was === null ? signals.added : signals.was} {was !== null && <Cut text={was} />}
          </span>
        )}
      </dd>
    </div>
  );
}

/** Text of a fact. The host of an address is always whole; the rest is cut in its middle. */
function Text({ text }: { text: string }) {
  const address = splitAddress(text);
  if (address === null)
    return (
      <>
        <Cut text={text} />
        <UrlWarnings text={text} />
      </>
    );
  const room = Math.max(16, maxOnCard.value - Array.from(address.before + address.host).length);
  return (
    <>
      <span className={classes.rest}>
        <Revealed text={address.before} most={24} />
      </span>
      <b className={classes.host}>
        <Revealed text={address.host} />
      </b>
      <span className={classes.rest}>
        <Revealed text={address.after} most={room} kept={Math.floor(room / 2)} />
      </span>
      {isCutAt(text, maxOnCard.value) && <More />}
      <UrlWarnings text={text} />
    </>
  );
}

/** Cut text that keeps its last characters, so that an innocent beginning hides nothing. */
function Cut({ text, most = maxOnCard.value }: { text: string; most?: number }) {
  return (
    <>
      <Revealed text={text} most={most} kept={Math.floor(most / 3)} />
      {isCutAt(text, most) && <More />}
    </>
  );
}

const More = () => (
  <span className={classes.soft} data-note="">
    {' '}
    {words.cut}
  </span>
);

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

export function WhyAsked({ detail: { message, reason, server } }: { detail: ElicitationDetail }) {
  return (
    <Section title={why.title}>
      <div>
        <h3 className={whyAskedClasses.caption}>
          <Revealed text={why.question(server)} />
        </h3>
        <p className={whyAskedClasses.question} {...partStart(questionPart)}>
          <Revealed text={message} />
        </p>
        <PartEnd of={questionPart} />
      </div>
      {reason === null ? (
        <p className={whyAskedClasses.caption}>{why.none}</p>
      ) : (
        <figure className={whyAskedClasses.agent}>
          <figcaption className={whyAskedClasses.caption}>{why.agent}</figcaption>
          <blockquote className={whyAskedClasses.reason}>
            <Revealed text={reason} />
          </blockquote>
        </figure>
      )}
    </Section>
  );
}

export function ChangedNotice({ reading, detail }: { reading: Reading; detail: ElicitationDetail }) {
  const parts = changedParts(reading.read, detail);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'center' });
  }, [detail.digest]);
  return (
    <div role="alert" {...partStart('changed')}>
      <Notice tone="warn" title={changed.title} ref={notice}>
        <p>
          {parts.length > 0 && changed.changes(parts.map((part) => changed.parts[part]))}
          {changed.note}
        </p>
        <Button variant="default" onClick={() => reading.confirm()}>
          {changed.confirm}
        </Button>
      </Notice>
    </div>
  );
}

export function WhoAsks({ detail: { server, tool, requester, audience, proven } }: { detail: ElicitationDetail }) {
  const hints = tool.annotations === null ? '' : nameHints(tool.annotations);
  return (
    <Section title={who.title}>
      <dl className={whoAsksClasses.facts}>
        <AskerFact name={who.requester}>
          <span {...partStart(requesterPart)}>
            <Revealed text={requester.subject} />
          </span>{' '}
          <VerifiedMark requester={requester} />
          <PartEnd of={requesterPart} />
        </AskerFact>
        <AskerFact name={who.client}>
          <Client client={requester.client} />
        </AskerFact>
        {proven.map((step) => (
          <AskerFact key={step.elicitation} name={words.confirms(step.kind, step.provider)}>
            <Revealed text={provenText(step)} />
          </AskerFact>
        ))}
        <AskerFact name={who.server}>
          <Revealed text={server} />
        </AskerFact>
        {tool.description !== null && (
          <AskerFact name={who.tool}>
            <Revealed text={tool.description} />
          </AskerFact>
        )}
        {hints !== '' && <AskerFact name={who.hints}>{hints}</AskerFact>}
        <AskerFact name={who.audience}>{who.audiences[audience]}</AskerFact>
      </dl>
    </Section>
  );
}

function Client({ client }: { client: ElicitationDetail['requester']['client'] }) {
  if (client === null) return who.noClient;
  const text = client.version === undefined ? client.name : `${client.name} ${client.version}`;
  return (
    <>
      <Revealed text={text} /> <span className={whoAsksClasses.soft}>{who.clientNote}</span>
    </>
  );
}

function AskerFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={whoAsksClasses.fact}>
      <dt className={whoAsksClasses.name}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Differences of the request from past ones, in one line; pressed, it lists its sources. */
export function Signals({ detail }: { detail: ElicitationDetail }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const signals = useComparison(detail)?.signals ?? [];
  if (signals.length === 0) return null;
  return (
    <div className={signalsClasses.signals} data-signals="">
      <Button
        variant="subtle"
        classNames={{ root: signalsClasses.button, label: signalsClasses.label }}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className={signalsClasses.line}>
          {signals.map((signal, at) => (
            <span key={at} className={signalsClasses.signal}>
              {signalsWords.say(withTime(signal))}
            </span>
          ))}
        </span>
      </Button>
      <section id={id} aria-label={signalsWords.title} hidden={!isOpen} className={signalsClasses.why}>
        {isOpen && signals.map((signal, at) => <Explanation key={at} signal={signal} />)}
        <p>{signalsWords.note}</p>
      </section>
    </div>
  );
}

/** Origin of a signal, with the requests that it was computed from. */
function Explanation({ signal }: { signal: Signal }) {
  const { from, of } = signal;
  return (
    <div>
      <p>
        <Revealed text={signalsWords.explain(withTime(signal))} />
      </p>
      <p>
        {signalsWords.from}{' '}
        {from.map(({ id, at }, index) => (
          <span key={id}>
            {index > 0 && ' · '}
            <Link to={`/requests/${id}`}>{describeShortMoment(at)}</Link>
          </span>
        ))}
        {of > from.length && ` ${signalsWords.more(of - from.length)}`}
      </p>
    </div>
  );
}

const withTime = (signal: Signal): SaidSignal =>
  signal.kind === 'hour' ? { ...signal, time: describeTimeOfDay(signal.at) } : signal;

/** Reasons why the address in an argument looks like another one. */
export function UrlWarnings({ text }: { text: string }) {
  const warnings = deceptionsIn(text);
  if (warnings.length === 0) return null;
  return (
    <span className={urlWarningsClasses.warnings} data-note="">
      {warnings.map((warning) => (
        <span key={warning.is} className={urlWarningsClasses.warning}>
          <Triangle />
          {warning.is === 'number-host' ? what.numberHost(warning.host) : what.warnings[warning.is]}
        </span>
      ))}
    </span>
  );
}

/** Marks the end of an open part of the request. */
export const PartEnd = ({ of }: { of: string }) => (
  <span className={partEndClasses.end} data-part-end={of} aria-hidden="true" />
);

/** Attributes of the element with the part: the button can lead there. */
export const partStart = (of: string) => ({ 'data-part-start': of, tabIndex: -1 });

/** Attribute of each line that must have been on the screen. */
export const unit = { 'data-unit': '' };
