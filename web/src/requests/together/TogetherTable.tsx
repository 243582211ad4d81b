import { Checkbox } from '@mantine/core';
import { Link } from 'react-router';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { formatInWords } from '../../ui/Notice.tsx';
import { tableOfCalls, type ListTable, ListSummary, Value } from '../../ui/ListTable.tsx';
import { RiskMark, StatusMark } from '../../ui/marks.tsx';
import { TimeLeft } from '../../ui/Moment.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { argumentCells } from '../inbox/bulk.ts';
import classes from './TogetherPage.module.css';
import type { Outcome } from './use-together.ts';
import { together as words } from '../inbox/words/together-words.ts';

interface TogetherTableProps {
  details: ElicitationDetail[];
  outcomes: Outcome[];
  isIncluded: (id: string) => boolean;
  /** Leaves one out, or takes it back; absent after the decision. */
  onTurn?: ((id: string) => void) | undefined;
}

/** Limit of columns for arguments; the others are five. */
const maxColumns = 5;

/** Common values once, and only the differences of each request. */
export function TogetherTable({ details, outcomes, isIncluded, onTurn }: TogetherTableProps) {
  const calls = details.map((detail) => ({ id: detail.id, cells: argumentCells(detail) }));
  const cellsOf = (chosen: typeof calls) => chosen.map(({ cells }) => cells);
  const table = tableOfCalls(cellsOf(calls));
  // Only requests decided together are summed.
  const { sums } = tableOfCalls(cellsOf(calls.filter(({ id }) => isIncluded(id))));
  const sentences = new Set(details.map(({ message }) => message));
  const requesters = new Set(details.map(({ requester }) => requester.subject));
  return (
    <>
      <Shared details={details} table={{ ...table, sums }} sentences={sentences} requesters={requesters} />
      <div className={classes.frame} data-fit={table.columns.length > maxColumns ? 'never' : 'wide'}>
        <table className={classes.table} aria-label={words.list}>
          <thead>
            <tr>
              <th scope="col">{words.included}</th>
              {isDiverse(requesters) && <th scope="col">{words.requesterColumn}</th>}
              {table.columns.map((column) => (
                <th key={column} scope="col">
                  <Revealed text={column} />
                </th>
              ))}
              {isDiverse(sentences) && <th scope="col">{words.sentence}</th>}
              <th scope="col">{words.timeLeft}</th>
              <th scope="col">{words.request}</th>
            </tr>
          </thead>
          <tbody>
            {details.map((detail, at) => (
              <Call
                key={detail.id}
                {...{ detail, at, table, onTurn }}
                isIn={isIncluded(detail.id)}
                hasRequester={isDiverse(requesters)}
                hasSentence={isDiverse(sentences)}
                outcome={outcomes.find(({ id }) => id === detail.id)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface CallProps extends Pick<TogetherTableProps, 'onTurn'> {
  detail: ElicitationDetail;
  /** Its row, counted from 0. */
  at: number;
  table: ListTable;
  isIn: boolean;
  hasRequester: boolean;
  hasSentence: boolean;
  outcome: Outcome | undefined;
}

function Call({ detail, at, table, isIn, hasRequester, hasSentence, outcome, onTurn }: CallProps) {
  return (
    <tr data-out={!isIn}>
      <td className={classes.number}>
        <Checkbox
          aria-label={words.include(at + 1)}
          checked={isIn}
          disabled={onTurn === undefined}
          onChange={() => onTurn?.(detail.id)}
        />
        <span aria-hidden>{at + 1}</span>
      </td>
      {hasRequester && (
        <td>
          <Name text={words.requesterColumn} />
          <Revealed text={detail.requester.subject} />
        </td>
      )}
      {table.columns.map((column) => (
        <td key={column} className={classes.value} data-number={typeof table.rows[at]?.[column] === 'number'}>
          <Name text={column} />
          <Value value={table.rows[at]?.[column]} />
        </td>
      ))}
      {hasSentence && (
        <td className={classes.sentence}>
          <Name text={words.sentence} />
          <Revealed text={detail.message} />
        </td>
      )}
      <td>
        <Name text={words.timeLeft} />
        <TimeLeft until={detail.deadlineAt} />
      </td>
      <td>
        <Link to={`/requests/${detail.id}`} aria-label={words.openOf(at + 1, detail.requester.subject)}>
          {words.open}
        </Link>{' '}
        <RiskMark risk={detail.risk} />
        <Result outcome={outcome} />
      </td>
    </tr>
  );
}

/** The name of a column, for narrow tables. */
const Name = ({ text }: { text: string }) => (
  <span className={classes.name} aria-hidden>
    <Revealed text={text} />
  </span>
);

interface SharedProps {
  details: ElicitationDetail[];
  table: ListTable;
  sentences: Set<string>;
  requesters: Set<string>;
}

const isDiverse = ({ size }: Set<string>): boolean => size > 1;

/** Common values of all requests. */
function Shared({ details: [first], table, sentences, requesters }: SharedProps) {
  return (
    <div className={classes.shared}>
      {!isDiverse(sentences) && first && (
        <p>
          <Revealed text={first.message} />
        </p>
      )}
      {!isDiverse(requesters) && first && (
        <p className={classes.soft}>
          {words.requester} <Revealed text={first.requester.subject} />
        </p>
      )}
      {first && first.tool.reaches !== null && (
        <p className={classes.soft}>
          <Revealed text={first.tool.reaches} />
        </p>
      )}
      <ListSummary table={table} />
    </div>
  );
}

/** Outcome of one request after sending. */
export function Result({ outcome }: { outcome: Outcome | undefined }) {
  if (outcome === undefined) return null;
  const { status, problem } = outcome;
  if (problem !== null)
    return <p className={classes.failed}>{problem.refusal ? formatInWords(problem.refusal) : problem.detail}</p>;
  if (status === null || status === 'open') return <p className={classes.result}>{words.counted}</p>;
  return (
    <p className={classes.result}>
      <StatusMark status={status} cause={null} />
    </p>
  );
}
