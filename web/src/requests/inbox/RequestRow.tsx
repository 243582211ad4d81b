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

/** An address from its host on. */
const shortened = (value: string): string => value.replace(/^\s*[a-z][\w+.-]*:\/\/([^/?#]*@)?/i, '');

/** Is it a number alone, or with its currency? Its digits are grouped, as on the page of the request. */
const isNumber = (value: string): boolean => /^-?\d+(?:\.\d+)?(?: [A-Z]{3})?$/.test(value);

/** The key facts of a request: columns of its row, so that those of one tool align, or a line of values. */
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

/** The strongest difference of a request from earlier ones; null if there is none, or it is unknown. */
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

/** Reads a signal; rows drawn together share a call. */
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
  /** Set if it has left the list, but keeps its place so that nothing moves. */
  isGone: boolean;
  /** Set if it is open next to the list. */
  isOpened: boolean;
  isChosen: boolean;
  mayChoose: boolean;
  /** Toggles it, or extends the selection to it. */
  select: (item: InboxItem, isRange: boolean) => void;
}

/** A row, drawn again only if it has changed: a list can hold thousands of rows. */
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

/** Facts of a request whose content the reader may not see, or not yet: voters, duration and policy. */
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

/** Reason why the row does not show the question. */
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

/** The latest news of a row: it left the list, its caller has gone, it differs from others, a reminder, or its end. */
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
