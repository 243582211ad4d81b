import { Tooltip } from '@mantine/core';
import type { RefObject } from 'react';

export interface MomentTooltipProps {
  id: string;
  target: RefObject<HTMLElement | null>;
  moment: string;
}

/** Tooltip with the exact moment, next to the time: inside its landmark, and not clipped by a scroller. */
export const MomentTooltip = ({ id, target, moment }: MomentTooltipProps) => (
  <Tooltip
    target={target}
    label={<span id={id}>{moment}</span>}
    opened
    withArrow
    withinPortal={false}
    floatingStrategy="fixed"
    transitionProps={{ duration: 0 }}
  />
);
