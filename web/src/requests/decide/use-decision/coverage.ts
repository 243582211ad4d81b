/** A part of an element from its upper edge, in pixels. */
export interface Span {
  from: number;
  to: number;
}

/** Edges lie between pixels. */
const tolerance = 1;

/** Pixels: the height of the highest line, which can hold the name of a hidden character. */
const lineHeight = 30;

/** What is seen of an element is seen in whole lines: those that its edge cuts are not, and two views must overlap by one. */
export const wholeLines = ({ from, to }: Span, height: number): Span => ({
  from: from > tolerance ? from + lineHeight / 2 : from,
  to: to < height - tolerance ? to - lineHeight / 2 : to,
});

/** The spans with another one, merged and in order, within the height of the element. */
export function cover(spans: readonly Span[], { from, to }: Span, height: number): Span[] {
  const added = { from: Math.max(0, from), to: Math.min(height, to) };
  if (added.to <= added.from && height > 0) return [...spans];
  const merged: Span[] = [];
  for (const span of [...spans, added].sort((first, other) => first.from - other.from)) {
    const last = merged.at(-1);
    if (last && span.from <= last.to + tolerance) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

/** Where the first part begins that is in no span. */
export const firstGap = ([first]: readonly Span[]): number => (first && first.from <= tolerance ? first.to : 0);

export const isCovered = (spans: readonly Span[], height: number): boolean =>
  spans.length > 0 && firstGap(spans) >= height - tolerance;
