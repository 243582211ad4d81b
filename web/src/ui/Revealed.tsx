import { Fragment, memo } from 'react';
import { revealText, type Segment } from '../../../src/model/text/visible-text.ts';
import { textWords } from '../lib/language/text-words.ts';
import classes from './Revealed.module.css';

/** Text of unknown origin, as text only, with everything the eye would miss spelled out. */
export const Revealed = memo(function Revealed({ text }: { text: string }) {
  return (
    <bdi className={classes.revealed}>
      {revealText(text).map((segment, at) => (
        <Fragment key={at}>{showSegment(segment)}</Fragment>
      ))}
    </bdi>
  );
});

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
