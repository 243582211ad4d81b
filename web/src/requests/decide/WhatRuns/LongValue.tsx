import { useId } from 'react';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { valuePart } from '../use-answer/parts-to-see.ts';
import type { Reading } from '../use-answer/use-reading.ts';
import { what } from '../words/words.ts';
import { describeSize, previewOf } from './argument-preview.ts';
import classes from '../LongValue.module.css';
import { OpenButton } from './OpenButton.tsx';
import { PartEnd, partStart, unit } from '../DecisionCard/PartEnd.tsx';

interface LongValueProps {
  value: string;
  pointer: string;
  reading: Reading;
}

/** Too long to stand open, too important to skip: it is opened, and seen to its end, before anyone approves. */
export function LongValue({ value, pointer, reading }: LongValueProps) {
  const id = useId();
  const isOpen = reading.opened.has(pointer);
  const size = describeSize(value);
  return (
    <div {...partStart(valuePart(pointer))}>
      <div id={id} className={isOpen ? classes.whole : classes.preview} data-at={pointer} {...(isOpen && unit)}>
        <Revealed text={value} {...(!isOpen && { most: Array.from(previewOf(value)).length })} />
      </div>
      {isOpen && <p className={classes.end}>{what.end(size)}</p>}
      {isOpen && <PartEnd of={valuePart(pointer)} />}
      <OpenButton pointer={pointer} reading={reading} controls={id} label={what.open(size)} />
    </div>
  );
}
