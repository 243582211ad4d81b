import { memo } from 'react';
import { revealCode } from '#platform/text/visible-text';
import { show } from '../../ui/Revealed/Revealed.tsx';
import classes from '../../ui/Revealed.module.css';

/** Text of unknown origin, as a part of a line of code, whose indentation stays as it is. */
export const RevealedCode = memo(function RevealedCode({ text, line }: { text: string; line: string }) {
  return <bdi className={classes.revealed}>{show(revealCode(text, line))}</bdi>;
});
