import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { firstLineOf } from '../../inbox/first-line.ts';
import { strayNumbers } from '../../inbox/stray-numbers.ts';
import { Digits } from '../../../ui/Digits/Digits.tsx';
import { VerifiedMark } from '../../../ui/marks.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import {
  countHidden,
  factBefore,
  isCutAt,
  isNumberFact,
  isQuestionCut,
  maxOnCard,
  wholeFact,
  type Fact as KeyFact,
} from '../decision-table/card-facts.ts';
import { PartEnd, unit } from './PartEnd.tsx';
import { UrlWarnings } from './UrlWarnings.tsx';
import { cardPart } from '../use-answer/parts-to-see.ts';
import { useComparison } from '../MoreSteps/use-comparison.ts';
import { card as words, signals } from '../words/words.ts';
import { splitAddress } from '../words/url-facts/url-facts.ts';
import classes from '../DecisionCard.module.css';
import { Signals } from './Signals.tsx';

/** What is decided, in the same block as the buttons: the question, its key facts, who asks, and where it runs. */
export function DecisionCard({ detail }: { detail: ElicitationDetail }) {
  const { tool, server, message, requester, facts } = detail;
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

/** The sentence is the caller's: a number that the call does not have is named. */
function Stray({ detail: { message, arguments: json } }: { detail: ElicitationDetail }) {
  const numbers = strayNumbers(firstLineOf(message), parse(json));
  return numbers.length === 0 ? null : <p className={classes.stray}>{words.stray(numbers)}</p>;
}

function NotShown({ detail }: { detail: ElicitationDetail }) {
  const hidden = countHidden(detail);
  if (hidden === 0) return null;
  return <p className={classes.soft}>{hidden === Infinity ? words.notShownAtAll : words.notShown(hidden)}</p>;
}

/** Characters that fit next to a value on a phone; a longer label stands above it. */
const widestLabel = 10;

/** Is there a verb of SQL apart from the one that the statement begins with? */
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

/** Of an address, the host always stands whole, and the rest is cut in its middle. */
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

/** Its last characters stay: what follows an innocent beginning is seen. */
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
