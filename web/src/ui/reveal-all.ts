import { revealText } from '#protocol/model/text/visible-text';
import { revealBy } from './use-segments.ts';

// Pages where people decide import this: no look-alike is unmarked there, not for a moment.
revealBy(revealText);
