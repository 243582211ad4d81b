import { Fragment, memo } from 'react';
import type { Segment } from '#platform/text/hidden-characters';
import { cutSegments } from '#platform/text/hidden-characters';
import { textWords } from '../../language/words/text-words.ts';
import classes from '../Revealed.module.css';
import { useSegments } from './use-segments.ts';

interface RevealedProps {
  text: string;
  /** Characters; the rest is left out, and the cut is marked. */
  most?: number;
  /** How many of them are its last ones. */
  kept?: number;
}

/** Text of unknown origin, as text only, with everything the eye would miss spelled out before anything is cut. */
export const Revealed = memo(function Revealed({ text, most = Infinity, kept = 0 }: RevealedProps) {
  const { head, tail, isCut } = cutSegments(useSegments(text), most, kept);
  return (
    <bdi className={classes.revealed}>
      {show(head)}
      {isCut && <span className={classes.cut}>…</span>}
      {show(tail)}
    </bdi>
  );
});

/** Each as it must be seen. */
export const show = (segments: Segment[]) =>
  segments.map((segment, at) => <Fragment key={at}>{showSegment(segment)}</Fragment>);

function showSegment(segment: Segment) {
  if (segment.kind === 'text') return segment.text;
  if (segment.kind === 'hidden') {
    return (
      <span className={classes.chip} data-hidden-characters="">
        {segment.label}
        <Names characters={segment.characters} />
      </span>
    );
  }
  return (
    <span data-lookalike="">
      <span className={classes.lookalike}>{segment.text}</span>
      <span className={classes.chip}>{textWords.lookalike(segment)}</span>
    </span>
  );
}

function Names({ characters }: { characters: string[] }) {
  const names = characters.flatMap((character) => textWords.hiddenNames[character] ?? []);
  return names.length === 0 ? null : <span className={classes.names}> {names.join(', ')}</span>;
}
