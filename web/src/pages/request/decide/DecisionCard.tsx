import type { ElicitationDetail } from '../../../../../src/contract/console/console.ts';
import { firstLineOf } from '../../../lib/first-line.ts';
import { VerifiedMark } from '../../../ui/marks.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import { card as words } from '../words/words.ts';
import classes from './DecisionCard.module.css';
import { cutText } from './cut-text.ts';

/** What is decided, in the same block as the buttons: the question, its key facts, who asks, and where it runs. */
export function DecisionCard({ detail }: { detail: ElicitationDetail }) {
  const { tool, server, message, requester, facts } = detail;
  return (
    <>
      <p className={classes.message} data-part="question">
        <Cut text={firstLineOf(message)} most={longestQuestion} isMore={firstLineOf(message) !== message.trim()} />
      </p>
      <dl className={classes.facts}>
        {facts.map((fact) => (
          <Fact key={`${fact.label} ${fact.paths[0]}`} fact={fact} />
        ))}
        <div data-part="requester">
          <dt>{words.requester}</dt>
          <dd>
            <Cut text={requester.subject} /> <VerifiedMark requester={requester} />
          </dd>
        </div>
        <div data-part="server">
          <dt>{words.tool}</dt>
          <dd>
            <code>
              <Cut text={tool.name} />
            </code>{' '}
            {words.on} <Cut text={server} />
          </dd>
        </div>
      </dl>
    </>
  );
}

function Fact({
  fact: { label, source, value, length, members, verbs },
}: {
  fact: ElicitationDetail['facts'][number];
}) {
  return (
    <div data-part="fact">
      <dt className={source === 'rule' ? classes.path : undefined}>
        <Cut text={label} most={longestLabel} />
      </dt>
      <dd className={classes.value}>
        {verbs.length > 0 && <b>{verbs.join(', ')} </b>}
        {value === null ? (
          <span className={classes.soft}>{members === null ? words.absent : words.items(members)}</span>
        ) : null}
        {value !== null && <Cut text={value} isMore={length > [...value].length} />}
        {value === '' && <span className={classes.soft}>{words.empty}</span>}
      </dd>
    </div>
  );
}

/** Characters. What is cut is marked, and stands in full on the page. */
const longestQuestion = 140;
const longestValue = 56;
const longestLabel = 40;

function Cut({ text, most = longestValue, isMore = false }: { text: string; most?: number; isMore?: boolean }) {
  const cut = cutText(text, most);
  return (
    <>
      <Revealed text={cut} />
      {(isMore || cut !== text) && <span className={classes.soft}> … {words.cut}</span>}
    </>
  );
}
