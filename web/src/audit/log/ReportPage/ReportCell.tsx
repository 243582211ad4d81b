import { Link } from 'react-router';
import type { Report } from '#audit/search/contract';
import { describeMoment } from '../../../ui/relative-time.ts';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../Audit.module.css';
import { namePolicy } from '../../../ui/words/words.ts';
import { nameIn } from './name-in.ts';
import { codes, words } from '../words/words.ts';

interface ReportCellProps {
  column: Report['columns'][number];
  cell: Report['rows'][number][number];
  names: Report['names'];
}

/** One fact of an answer. Times are absolute: on paper "8 min ago" proves nothing. */
export function ReportCell({ column: { name, kind }, cell, names }: ReportCellProps) {
  if (cell === null || cell === '' || (Array.isArray(cell) && cell.length === 0)) return null;
  if (kind === 'people' && Array.isArray(cell))
    return <Revealed text={cell.map((id) => nameIn(names, id)).join(', ')} />;
  if (Array.isArray(cell)) return <Lines lines={cell} isText={name === 'groups'} />;
  if (typeof cell === 'boolean') return cell ? words.yes : words.no;
  if (typeof cell === 'number') return <Figure kind={kind} value={cell} />;
  if (kind === 'person') return <Revealed text={nameIn(names, cell)} />;
  if (kind === 'requester') return <Requester hash={cell} name={names[cell]} />;
  if (kind === 'request')
    return (
      <Link to={`/audit/requests/${cell}`} className={classes.id}>
        {cell}
      </Link>
    );
  return <Revealed text={name === 'policy' ? namePolicy(cell) : (codes[name]?.[cell] ?? cell)} />;
}

function Figure({ kind, value }: { kind: Report['columns'][number]['kind']; value: number }) {
  if (kind === 'seconds') return words.seconds(value);
  if (kind !== 'time') return String(value);
  return (
    <time dateTime={new Date(value).toISOString()} className={classes.time}>
      {describeMoment(value)}
    </time>
  );
}

/** By name, or by the first digits of what stands for them if no stored request names them any more. */
const Requester = ({ hash, name }: { hash: string; name: string | undefined }) =>
  name === undefined ? (
    <code title={hash} className={classes.id}>
      {hash.slice(0, 12)}…
    </code>
  ) : (
    <span title={hash}>
      <Revealed text={name} />
    </span>
  );

const Lines = ({ lines, isText }: { lines: string[]; isText: boolean }) =>
  isText ? (
    <Revealed text={lines.join(', ')} />
  ) : (
    <span className={classes.lines}>
      {lines.map((line, at) => (
        <span key={at}>
          {indentOf(line)}
          <Revealed text={line.slice(indentOf(line).length)} />
        </span>
      ))}
    </span>
  );

/** At the beginning of a line of a policy a space is no edge that hides something. */
const indentOf = (line: string): string => /^ */.exec(line)?.[0] ?? '';
