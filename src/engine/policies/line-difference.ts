export interface LineDifference {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Pairs of lines compared at most; beyond, what differs is told as removed and added whole. */
const mostPairs = 4_000_000;

/** How to make the second text of the first, line by line: the fewest lines removed and added. */
export function differLines(before: string, after: string): LineDifference[] {
  const [one, other] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < one.length && head < other.length && one[head] === other[head]) head += 1;
  let tail = 0;
  const rest = Math.min(one.length, other.length) - head;
  while (tail < rest && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  const same = (lines: string[]) => lines.map((text): LineDifference => ({ kind: 'same', text }));
  return [
    ...same(one.slice(0, head)),
    ...differMiddle(one.slice(head, one.length - tail), other.slice(head, other.length - tail)),
    ...same(one.slice(one.length - tail)),
  ];
}

function differMiddle(one: string[], other: string[]): LineDifference[] {
  const isSmall = one.length * other.length <= mostPairs;
  const common = isSmall ? commonLengths(one, other) : null;
  const told: LineDifference[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const [left, right] = [one[i], other[j]];
    if (common && left !== undefined && left === right) {
      told.push({ kind: 'same', text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || !common || common(i + 1, j) >= common(i, j + 1))) {
      told.push({ kind: 'removed', text: left });
      i += 1;
    } else {
      told.push({ kind: 'added', text: right ?? '' });
      j += 1;
    }
  }
  return told;
}

/** How many lines the texts have in common from each pair of places on. */
function commonLengths(one: string[], other: string[]): (i: number, j: number) => number {
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      const [below, beside] = [lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0];
      const both = (lengths[(i + 1) * width + j + 1] ?? 0) + 1;
      lengths[i * width + j] = one[i] === other[j] ? both : Math.max(below, beside);
    }
  }
  return (i, j) => lengths[i * width + j] ?? 0;
}
