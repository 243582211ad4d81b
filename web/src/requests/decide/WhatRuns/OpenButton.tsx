import { Button } from '@mantine/core';
import type { Reading } from '../use-answer/use-reading.ts';
import { what } from '../words/words.ts';
import classes from '../LongValue.module.css';

interface OpenButtonProps {
  pointer: string;
  reading: Reading;
  /** The id of what it opens. */
  controls: string;
  /** What it says while the value is folded. */
  label: string;
}

/** Opens a long value, and folds it again. */
export function OpenButton({ pointer, reading, controls, label }: OpenButtonProps) {
  const isOpen = reading.opened.has(pointer);
  return (
    <Button
      variant="default"
      classNames={{ root: classes.turn ?? '', label: classes.label ?? '' }}
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={() => (isOpen ? reading.closeValue(pointer) : reading.openValue(pointer))}
    >
      {isOpen ? what.close : label}
    </Button>
  );
}
