import { Button } from '@mantine/core';
import { useEffect, useState, type RefObject } from 'react';
import { TimeLeft } from '../../../ui/Moment.tsx';
import classes from './DecideBar.module.css';
import { decide } from '../words/words.ts';

interface DecideBarProps {
  deadlineAt: number;
  panel: RefObject<HTMLElement | null>;
}

/** On narrow screens the decision lies below the fold; this keeps it one tap away without covering anything. */
export function DecideBar({ deadlineAt, panel }: DecideBarProps) {
  const isAway = useIsAway(panel);
  const jump = () => {
    panel.current?.scrollIntoView({ block: 'start' });
    panel.current?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
  };
  return (
    <div className={classes.bar} data-away={isAway}>
      <TimeLeft until={deadlineAt} />
      <Button variant="default" className={classes.jump} onClick={jump}>
        {decide.jump}
      </Button>
    </div>
  );
}

function useIsAway(panel: RefObject<HTMLElement | null>): boolean {
  const [isAway, setIsAway] = useState(true);
  useEffect(() => {
    if (panel.current === null) return;
    const observer = new IntersectionObserver(([entry]) => setIsAway(entry?.isIntersecting !== true));
    observer.observe(panel.current);
    return () => observer.disconnect();
  }, [panel]);
  return isAway;
}
