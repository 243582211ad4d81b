/** What the height of a chart stands for. */
interface Scale {
  /** The value at the top. */
  top: number;
  /** The highest value, if it is cut off so that the others can be told apart. */
  cutFrom: number | null;
}

/** So many times as high as nearly all others, a value would flatten them. */
const flattening = 4;
/** At most this share of the values is cut off. */
const rareShare = 0.1;

/** The scale of these values: a few that would flatten the others end at the top. */
export function scaleOf(values: number[]): Scale {
  const sorted = values.filter((value) => value > 0).sort((first, other) => first - other);
  const highest = Math.max(1, sorted.at(-1) ?? 1);
  const rare = Math.max(1, Math.floor(sorted.length * rareShare));
  const usual = sorted.at(-1 - rare);
  const isFlat = usual === undefined || sorted.length < 4 || highest <= flattening * usual;
  return isFlat ? { top: highest, cutFrom: null } : { top: Math.max(1, usual) * 1.25, cutFrom: highest };
}

/** A chart has at least so many spans. */
const fewestSpans = 7;

/** Without the empty spans before the first that has something, such as those before the installation began. */
export function sinceFirst<Span>(spans: Span[], hasSome: (span: Span) => boolean): Span[] {
  const first = spans.findIndex(hasSome);
  return first < 0 ? spans : spans.slice(Math.max(0, Math.min(first, spans.length - fewestSpans)));
}
