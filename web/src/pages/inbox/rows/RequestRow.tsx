import { Checkbox } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import type { InboxItem } from '../../../../../src/contract/console/console.ts';
import { requestAddress, type InboxFilters } from '../../../lib/inbox-url.ts';
import { describeMoment } from '../../../lib/relative-time.ts';
import { firstLineOf } from '../../../lib/first-line.ts';
import { CallerMark, RiskMark, StatusMark } from '../../../ui/marks.tsx';
import { RowAge, RowTimeLeft } from '../../../ui/RowMoment.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import classes from './RequestRow.module.css';
import { RowFacts } from './RowFacts.tsx';
import grid from './RowGrid.module.css';
import { together, words } from '../words/words.ts';

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
  return (
    <li className={`${grid.row} ${classes.row}`} data-gone={isGone} data-opened={isOpened}>
      <div className={classes.marks}>
        <span className={classes.pick}>
          {view === 'mine' && !isGone && (
            <Checkbox
              aria-label={together.select(item.toolTitle ?? item.tool)}
              aria-describedby={`${item.id}-message ${item.id}-who`}
              checked={choice.isChosen}
              disabled={!choice.mayChoose}
              onChange={({ nativeEvent }) =>
                choice.select(item, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
              }
            />
          )}
          <RiskMark risk={item.risk} />
        </span>
        {view === 'all' && item.mine && <span className={classes.mine}>{words.yourTurn}</span>}
      </div>
      <div className={classes.what}>
        <p className={classes.names}>
          <Link
            to={requestAddress(item.id, filters)}
            data-row={item.id}
            aria-current={isOpened ? 'page' : undefined}
            className={classes.link}
            aria-describedby={`${item.id}-message ${item.id}-who ${item.id}-state`}
          >
            <Revealed text={item.toolTitle ?? item.tool} />
          </Link>
          {item.toolTitle !== null && (
            <code className={classes.tool}>
              <Revealed text={item.tool} />
            </code>
          )}
        </p>
        <p className={classes.message} id={`${item.id}-message`}>
          {item.message === null ? reasonOf(item) : <Revealed text={firstLineOf(item.message)} />}
        </p>
      </div>
      <RowFacts facts={item.facts} />
      <div className={classes.who} id={`${item.id}-who`}>
        <Revealed text={item.server} />
        {item.requester !== null && (
          <span className={classes.requester}>
            {words.requester} <Revealed text={item.requester.subject} />
          </span>
        )}
      </div>
      <RowState item={item} isGone={isGone} />
    </li>
  );
});

/** Why the row does not say what is asked. */
const reasonOf = ({ isErased, isUnreadable }: InboxItem): string =>
  isErased ? words.erased : isUnreadable ? words.unreadable : words.unread;

function RowState({ item, isGone }: { item: InboxItem; isGone: boolean }) {
  const moment = item.closedAt ?? item.deadlineAt;
  return (
    <div className={classes.state} id={`${item.id}-state`}>
      {item.closedAt === null ? <RowTimeLeft until={item.deadlineAt} /> : <StatusMark {...item} />}
      <span className={classes.second}>
        {isGone && <span>{words.gone}</span>}
        {item.closedAt !== null && <RowAge at={item.closedAt} />}
        {item.closedAt === null && item.caller === 'gone' && <CallerMark caller="gone" />}
        <span className={classes.moment}>{describeMoment(moment)}</span>
      </span>
      {item.closedAt === null && item.remindedAt !== null && (
        <span className={classes.second}>
          <span>
            {words.reminded} <RowAge at={item.remindedAt} />
          </span>
          <span className={classes.moment}>{describeMoment(item.remindedAt)}</span>
        </span>
      )}
    </div>
  );
}
