import { Tooltip } from '@mantine/core';
import type { RefObject } from 'react';

export interface MomentTooltipProps {
  id: string;
  target: RefObject<HTMLElement | null>;
  moment: string;
}

/** The moment of a time, next to it: inside its landmark, and cut off by nothing that scrolls. */
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
