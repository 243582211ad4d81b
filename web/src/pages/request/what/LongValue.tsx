import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { describeSize, previewOf } from './argument-preview.ts';
import { Revealed } from '../../../ui/Revealed.tsx';
import classes from './LongValue.module.css';
import { what } from '../words/words.ts';

interface LongValueProps {
  value: string;
  /** Whether it was ever opened in this version of the request. */
  isOpened: boolean;
  onOpen: () => void;
}

/** Too long to stand open, too important to skip: it must be opened once before anyone approves. */
export function LongValue({ value, isOpened, onOpen }: LongValueProps) {
  const [isFolded, setIsFolded] = useState(false);
  const id = useId();
  const isOpen = isOpened && !isFolded;
  const size = describeSize(value);
  const turn = () => {
    setIsFolded(isOpen);
    if (!isOpened) onOpen();
  };
  return (
    <>
      <div id={id} className={isOpen ? classes.whole : classes.preview}>
        <Revealed text={isOpen ? value : previewOf(value)} />
      </div>
      {isOpen && <p className={classes.end}>{what.end(size)}</p>}
      <Button
        variant="default"
        classNames={{ root: classes.turn ?? '', label: classes.label ?? '' }}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={turn}
      >
        {isOpen ? what.close : what.open(size)}
      </Button>
    </>
  );
}
