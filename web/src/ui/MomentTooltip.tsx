import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';

/** Says the moment of a time on hover, on focus and to screen readers. */
export const MomentTooltip = ({ moment, children }: { moment: string; children: ReactElement }) => (
  <Tooltip
    label={moment}
    events={{ hover: true, focus: true, touch: true }}
    withArrow
    transitionProps={{ duration: 0 }}
  >
    {children}
  </Tooltip>
);
