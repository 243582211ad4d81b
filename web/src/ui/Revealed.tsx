import { useSyncExternalStore, Fragment, memo } from 'react';
import { segmentsOf, type Segment, cutSegments } from '#platform/text/segments';
import { textWords } from '../language/words/text-words.ts';
import classes from './Revealed.module.css';

type Reveal = (text: string) => Segment[];

let reveal: Reveal | null = null;
let loading: Promise<void> | null = null;
const drawn = new Set<() => void>();

/**
 * Segments of a text for people. The table of look-alikes is loaded with the first text that is not ASCII, so that the inbox
 * stays light: until then only hidden characters are spelled out.
 */
function useSegments(text: string): Segment[] {
  const current = useSyncExternalStore(subscribe, () => reveal);
  if (current !== null) return current(text);
  if (/[^\n -~]/.test(text)) loading ??= load();
  return segmentsOf(text);
}

/** Marks look-alikes from now on, in every drawn text: pages for decisions call it before they are drawn. */
export function revealBy(next: Reveal): void {
  reveal = next;
  for (const draw of drawn) draw();
}

const load = (): Promise<void> =>
  import('#platform/text/visible-text').then(
    ({ revealText }) => revealBy(revealText),
    () => void (loading = null), // the next text tries again
  );

function subscribe(draw: () => void): () => void {
  drawn.add(draw);
  return () => void drawn.delete(draw);
}

interface RevealedProps {
  text: string;
  /** Limit in characters; the rest is left out, and the cut is marked. */
  most?: number;
  /** Characters kept at the end. */
  kept?: number;
}

/** Text of unknown origin, as text only, with hidden characters spelled out before anything is cut. */
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

/** The segments as elements. */
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
