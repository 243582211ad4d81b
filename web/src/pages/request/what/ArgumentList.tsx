import { memo, useMemo, type CSSProperties } from 'react';
import { isLongValue, layOutArguments, type ArgumentRow } from '../../../lib/argument-rows.ts';
import { Revealed } from '../../../ui/Revealed.tsx';
import classes from './ArgumentList.module.css';
import { LongValue } from './LongValue.tsx';
import type { Reading } from '../state/use-reading.ts';
import { what } from '../words/words.ts';

interface ArgumentListProps {
  json: string;
  reading: Reading;
}

/** The stored arguments, whole: nothing is shortened that cannot be opened, and nothing is left out. */
export function ArgumentList({ json, reading }: ArgumentListProps) {
  const rows = useMemo(() => layOutArguments(json), [json]);
  if (rows === null) return <RawArguments json={json} reading={reading} />;
  if (rows.length === 0) return <p>{what.none}</p>;
  return (
    <dl className={classes.list}>
      {rows.map((row) => (
        <div key={row.path} className={classes.row} style={indent(row)}>
          <dt className={classes.name}>
            <Revealed text={row.depth > deepestIndent ? row.path : row.name} />
          </dt>
          <dd className={classes.value}>
            {row.kind === 'text' && isLongValue(row.value) ? (
              <LongValue
                value={row.value}
                isOpened={reading.opened.has(row.path)}
                onOpen={() => reading.openValue(row.path)}
              />
            ) : (
              <ShortValue row={row} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const ShortValue = memo(function ShortValue({ row: { kind, value } }: { row: ArgumentRow }) {
  if (kind === 'group' || kind === 'list')
    return <span className={classes.soft}>{what.members(kind, Number(value))}</span>;
  if (kind !== 'text') return <span className={classes.literal}>{value}</span>;
  return (
    <span className={classes.text}>
      <Revealed text={value} />
      {value === '' && <span className={classes.soft}>{what.emptyText}</span>}
    </span>
  );
});

function RawArguments({ json, reading }: ArgumentListProps) {
  return (
    <>
      <p className={classes.soft}>{what.raw}</p>
      <div className={classes.value}>
        {isLongValue(json) ? (
          <LongValue value={json} isOpened={reading.opened.has('')} onOpen={() => reading.openValue('')} />
        ) : (
          <Revealed text={json} />
        )}
      </div>
    </>
  );
}

/** Deeper rows say their whole path instead of moving further to the right. */
const deepestIndent = 6;

const indent = ({ depth }: ArgumentRow) => ({ '--depth': Math.min(depth, deepestIndent) }) as CSSProperties;
