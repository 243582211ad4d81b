import { useId, useMemo, type ReactNode } from 'react';
import type { ArgumentRow } from '../../inbox/argument-rows.ts';
import { isCollection } from '#requests/facts/contract/facts';
import { valuePart } from '../use-answer/parts-to-see.ts';
import type { Reading } from '../use-answer/use-reading.ts';
import { what } from '../words/words.ts';
import { ListRows, ListSummary } from '../../../ui/ListTable/ListTableView.tsx';
import { tableOf } from '../../../ui/ListTable/list-table.ts';
import classes from '../LongValue.module.css';
import { OpenButton } from './OpenButton.tsx';
import { PartEnd, partStart } from '../DecisionCard/PartEnd.tsx';

interface LongGroupProps {
  row: ArgumentRow;
  value: unknown;
  reading: Reading;
  /** The rows of its members, for what is no table. */
  children: ReactNode;
}

/** A long list or group: folded, with what it comes down to, until it is opened. A list of like objects is a table. */
export function LongGroup({ row: { pointer, name, kind, value: members }, value, reading, children }: LongGroupProps) {
  const isOpen = reading.opened.has(pointer);
  const table = useMemo(() => tableOf(value), [value]);
  const size = useMemo(() => countValues(value), [value]);
  const id = useId();
  return (
    <div {...partStart(valuePart(pointer))}>
      <p className={classes.size}>{what.members(kind === 'list' ? 'list' : 'group', Number(members))}</p>
      {table !== null && <ListSummary table={table} pointer={pointer} />}
      <div id={id}>
        {isOpen && (
          <>
            {table === null ? children : <ListRows name={name} table={table} pointer={pointer} />}
            <p className={classes.end}>{what.endMembers(size)}</p>
            <PartEnd of={valuePart(pointer)} />
          </>
        )}
      </div>
      <OpenButton pointer={pointer} reading={reading} controls={id} label={what.openMembers(size)} />
    </div>
  );
}

const countValues = (value: unknown): number =>
  isCollection(value) ? Object.values(value).reduce<number>((sum, member) => sum + countValues(member), 0) : 1;
