import { memo, useMemo, type CSSProperties } from 'react';
import { inOrders, type KeyOrders } from '#requests/facts/contract/facts';
import { follow, readPointer } from '#requests/facts/contract/facts';
import { layOutArguments, type ArgumentRow } from '../../inbox/argument-rows.ts';
import { Digits } from '../../../ui/Digits/Digits.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { argumentsPart, longIn } from '../use-answer/parts-to-see.ts';
import type { Reading } from '../use-answer/use-reading.ts';
import { what } from '../words/words.ts';
import classes from '../ArgumentList.module.css';
import { LongGroup } from './LongGroup.tsx';
import { LongValue } from './LongValue.tsx';
import { PartEnd, partStart, unit } from '../DecisionCard/PartEnd.tsx';
import { UrlWarnings } from '../DecisionCard/UrlWarnings.tsx';

interface ArgumentListProps {
  json: string;
  keyOrders?: KeyOrders;
  reading: Reading;
}

/** The stored arguments, whole: nothing is shortened that cannot be opened, and nothing is left out. */
export function ArgumentList({ json, keyOrders, reading }: ArgumentListProps) {
  const rows = useMemo(() => layOutArguments(json, keyOrders), [json, keyOrders]);
  const long = useMemo(() => new Set(longIn(json)), [json]);
  const root = useMemo(
    () => (rows === null ? null : inOrders(JSON.parse(json), keyOrders ?? [])),
    [rows, json, keyOrders],
  );
  return (
    <div {...partStart(argumentsPart)}>
      {rows === null && <p className={classes.soft}>{what.raw}</p>}
      {rows === null && <LongValue value={json} pointer="" reading={reading} />}
      {rows?.length === 0 && <p>{what.none}</p>}
      {rows !== null && rows.length > 0 && <Rows rows={rows} long={long} root={root} reading={reading} />}
      <PartEnd of={argumentsPart} />
    </div>
  );
}

interface RowsProps {
  rows: ArgumentRow[];
  long: ReadonlySet<string>;
  /** The arguments, in the caller's order. */
  root: unknown;
  reading: Reading;
}

function Rows({ rows, long, root, reading }: RowsProps) {
  return (
    <dl className={classes.list}>
      {withMembers(rows, long).map(({ row, members }) => (
        <div
          key={row.pointer}
          className={classes.row}
          style={indent(row)}
          {...(members === null && !long.has(row.pointer) && unit)}
        >
          <dt className={classes.name} {...((members !== null || long.has(row.pointer)) && unit)}>
            <Revealed text={row.depth > deepestIndent ? row.path : row.name} />
          </dt>
          <dd className={classes.value} data-at={row.pointer}>
            {members !== null ? (
              <LongGroup row={row} value={follow(root, readPointer(row.pointer) ?? [])} reading={reading}>
                <Rows rows={members} long={long} root={root} reading={reading} />
              </LongGroup>
            ) : long.has(row.pointer) ? (
              <LongValue value={row.value} pointer={row.pointer} reading={reading} />
            ) : (
              <ShortValue row={row} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Each row; a long list or group takes the rows of its members with it. */
function withMembers(rows: ArgumentRow[], long: ReadonlySet<string>) {
  const placed: { row: ArgumentRow; members: ArgumentRow[] | null }[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at];
    if (row === undefined) break;
    if ((row.kind !== 'group' && row.kind !== 'list') || !long.has(row.pointer)) {
      placed.push({ row, members: null });
      continue;
    }
    const end = rows.findIndex(({ depth }, index) => index > at && depth <= row.depth);
    const members = rows.slice(at + 1, end < 0 ? rows.length : end);
    placed.push({ row, members: members.map((member) => ({ ...member, depth: member.depth - row.depth - 1 })) });
    at += members.length;
  }
  return placed;
}

const ShortValue = memo(function ShortValue({ row: { kind, value } }: { row: ArgumentRow }) {
  if (kind === 'group' || kind === 'list')
    return <span className={classes.soft}>{what.members(kind, Number(value))}</span>;
  if (kind === 'number')
    return (
      <span className={classes.literal}>
        <Digits text={value} />
      </span>
    );
  if (kind !== 'text') return <span className={classes.literal}>{value}</span>;
  return (
    <>
      <span className={classes.text}>
        <Revealed text={value} />
        {value === '' && <span className={classes.soft}>{what.emptyText}</span>}
      </span>
      <UrlWarnings text={value} />
    </>
  );
});

/** Deeper rows say their whole path instead of moving further to the right. */
const deepestIndent = 6;

const indent = ({ depth }: ArgumentRow) => ({ '--depth': Math.min(depth, deepestIndent) }) as CSSProperties;
