import type { InboxItem } from '#requests/inbox/contract/inbox';
import { Digits } from '../../ui/Digits.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import rowFactsClasses from './RowFacts.module.css';
import { useQuery } from '@tanstack/react-query';
import type { RowSignal } from './words/together-words.ts';
import { Checkbox } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import { requestAddress, type InboxFilters } from './inbox-url.ts';
import { describeDuration, describeMoment } from '../../ui/relative-time.ts';
import { firstLineOf } from './first-line.ts';
import { CallerMark, RiskMark, StatusMark } from '../../ui/marks.tsx';
import { RowAge, RowEnd, RowTimeLeft } from '../../ui/use-now.tsx';
import classes from './RequestRow.module.css';
import grid from './RowGrid.module.css';
import { namePolicy } from '../../ui/words/words.ts';
import { words } from './words/words.ts';
import { call } from '../../client/call.ts';

/** Of an address, what matters begins with its host. */
const shortened = (value: string): string => value.replace(/^\s*[a-z][\w+.-]*:\/\/([^/?#]*@)?/i, '');

/** A number alone, or with its currency: its digits are in triples, as on the page of the request. */
const isNumber = (value: string): boolean => /^-?\d+(?:\.\d+)?(?: [A-Z]{3})?$/.test(value);

/** The key facts of a request: columns of its row, so that those of one tool stand under each other, or a line of values. */
function RowFacts({ facts }: Pick<InboxItem, 'facts'>) {
  const stored = facts.filter(({ value }) => value !== null && value !== '');
  return (
    <dl className={rowFactsClasses.facts}>
      {stored.map(({ label, paths, value }) => (
        <div key={`${label} ${paths[0]}`}>
          <dt>
            <Revealed text={label} />
          </dt>
          <dd>{isNumber(value ?? '') ? <Digits text={value ?? ''} /> : <Revealed text={shortened(value ?? '')} />}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What sets a request apart most from those before it; null if nothing does, or no one can say. */
function useRowSignal({ id, closedAt, message }: InboxItem): RowSignal | null {
  const { data = null } = useQuery({
    queryKey: ['signal', id],
    queryFn: () => readSignal(id),
    enabled: closedAt === null && message !== null,
    staleTime: Infinity,
    retry: false,
  });
  return data;
}

interface Batch {
  ids: string[];
  answer: Promise<Map<string, RowSignal | null>>;
}

const maxTogether = 50;
let next: Batch | null = null;

/** Rows that are drawn together ask together. */
async function readSignal(id: string): Promise<RowSignal | null> {
  if (next === null || next.ids.length >= maxTogether) {
    const ids: string[] = [];
    next = { ids, answer: readTogether(ids) };
  }
  next.ids.push(id);
  return (await next.answer).get(id) ?? null;
}

async function readTogether(ids: string[]): Promise<Map<string, RowSignal | null>> {
  const route = (await import('#requests/asking/contract/routes')).elicitationRoutes.listSignals;
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (next?.ids === ids) next = null;
  const { signals } = await call(route, { query: { ids: ids.join(',') } });
  return new Map(signals.map(({ id, signal }) => [id, signal]));
}

interface RequestRowProps {
  item: InboxItem;
  filters: InboxFilters;
  /** It left the list since it was drawn, and stays in its place so that nothing moves. */
  isGone: boolean;
  /** It stands open next to the list. */
  isOpened: boolean;
  isChosen: boolean;
  mayChoose: boolean;
  /** Turns it, or extends the choice to it. */
  select: (item: InboxItem, isRange: boolean) => void;
}

/** Drawn again only if something of it has changed: a list can hold thousands of rows. */
export const RequestRow = memo(function RequestRow({ item, filters, isGone, isOpened, ...choice }: RequestRowProps) {
  const { view } = filters;
  const hasFacts = item.facts.some(({ value }) => value !== null && value !== '');
  return (
    <li className={`${grid.row} ${classes.row}`} data-gone={isGone} data-opened={isOpened}>
      <span className={classes.pick}>
        {view === 'mine' && !isGone && (
          <Checkbox
            aria-label={words.select(item.toolTitle ?? item.tool)}
            aria-describedby={`${item.id}-message ${item.id}-who`}
            checked={choice.isChosen}
            disabled={!choice.mayChoose}
            onChange={({ nativeEvent }) =>
              choice.select(item, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        )}
      </span>
      <span className={classes.marks}>
        <RiskMark risk={item.risk} />
        {view === 'all' && item.mine && <span className={classes.mine}>{words.yourTurn}</span>}
      </span>
      <p className={classes.names}>
        <Link
          to={requestAddress(item.id, filters)}
          data-row={item.id}
          title={item.tool}
          aria-current={isOpened ? 'page' : undefined}
          className={classes.link}
          aria-describedby={`${item.id}-message ${item.id}-who ${item.id}-state`}
        >
          <Revealed text={item.toolTitle ?? item.tool} />
        </Link>
      </p>
      <div className={classes.detail}>
        <div className={classes.about} id={`${item.id}-message`}>
          {item.message === null ? (
            <Withheld item={item} />
          ) : hasFacts ? (
            <RowFacts facts={item.facts} />
          ) : (
            <p className={classes.message}>
              <Revealed text={firstLineOf(item.message)} />
            </p>
          )}
        </div>
        <p className={classes.who} id={`${item.id}-who`}>
          <Revealed text={item.server} />
          {item.requester !== null && (
            <>
              <span className={classes.hidden}> {words.requester}</span>{' '}
              <span className={classes.requester}>
                · <Revealed text={item.requester.subject} />
              </span>
            </>
          )}
          {item.reaches !== null && (
            <>
              <span className={classes.hidden}> {words.runs}</span>{' '}
              <span title={item.reaches}>
                · <Revealed text={item.reaches} />
              </span>
            </>
          )}
        </p>
      </div>
      <RowState item={item} isGone={isGone} />
    </li>
  );
});

/** What is said of a request whose content the reader may not see, or not yet: who decided, how long it took, by which policy. */
function Withheld({ item }: { item: InboxItem }) {
  const { openedAt, closedAt, policy, voters } = item;
  const facts = [
    ...(voters.length > 0 ? [words.votedBy(voters)] : []),
    ...(closedAt === null ? [] : [words.within(describeDuration(closedAt - openedAt))]),
    namePolicy(policy),
    reasonOf(item),
  ];
  return (
    <p className={classes.message}>
      <Revealed text={facts.join(' · ')} />
    </p>
  );
}

/** Why the row does not say what is asked. */
const reasonOf = ({ isErased, isUnreadable }: InboxItem): string =>
  isErased ? words.erased : isUnreadable ? words.unreadable : words.unread;

function RowState({ item, isGone }: { item: InboxItem; isGone: boolean }) {
  const moment = item.closedAt ?? item.deadlineAt;
  const isOpen = item.closedAt === null;
  return (
    <div className={classes.state} id={`${item.id}-state`}>
      {isOpen ? <RowTimeLeft until={item.deadlineAt} /> : <StatusMark {...item} />}
      <span className={classes.second}>
        <RowNews item={item} isGone={isGone} />
        <span className={classes.moment}>{describeMoment(moment)}</span>
      </span>
    </div>
  );
}

/** The one thing that is new about a row: it left the list, its caller is gone, what sets it apart, people were reminded, or when it ended. */
function RowNews({ item, isGone }: { item: InboxItem; isGone: boolean }) {
  const signal = useRowSignal(item);
  if (isGone) return <span>{words.gone}</span>;
  if (item.closedAt !== null) return <RowEnd at={item.closedAt} />;
  if (item.caller === 'gone') return <CallerMark caller="gone" />;
  if (signal !== null) return <span className={classes.signal}>{words.signal(signal)}</span>;
  if (item.remindedAt === null) return null;
  return (
    <span>
      {words.reminded} <RowAge at={item.remindedAt} />
    </span>
  );
}
