import { Checkbox } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import type { InboxItem } from '#requests/inbox/contract/inbox';
import { requestAddress, type InboxFilters } from '../inbox-url.ts';
import { describeDuration, describeMoment } from '../../../ui/relative-time.ts';
import { firstLineOf } from '../first-line.ts';
import { CallerMark, RiskMark, StatusMark } from '../../../ui/marks.tsx';
import { RowAge, RowEnd, RowTimeLeft } from '../../../ui/use-now/RowMoment.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../RequestRow.module.css';
import { RowFacts } from './RowFacts.tsx';
import grid from '../RowGrid.module.css';
import { useRowSignal } from './use-row-signal.ts';
import { namePolicy } from '../../../ui/words/words.ts';
import { words } from '../words/words.ts';

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
