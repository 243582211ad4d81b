import { minorUnitOf, isCollection } from '#requests/facts/contract/facts';

/** Limit of numbers named next to the buttons. */
const maxNamed = 3;

/**
 * Numbers of a sentence that are missing in the arguments, as written. A number may be grouped (12,400), have a comma for its
 * point (4,80), or be an amount that the arguments count in cents.
 */
export function strayNumbers(sentence: string, args: unknown): string[] {
  const present = new Set<number>();
  collect(args, [], present);
  const isStray = (written: string) => !readings(written).some((value) => present.has(value));
  return [...new Set(numeralsIn(sentence).filter(isStray))].slice(0, maxNamed);
}

const numeral = /\d+(?:[.,'’\u00A0\u202F ](?=\d)\d+)*/g;

/** Numerals of a text. Spaces group only triples: "on 12 300 files" has one number, "3 12" has two. */
const numeralsIn = (text: string): string[] =>
  (text.match(numeral) ?? []).flatMap((written) =>
    /[\u00A0\u202F ]/.test(written) && !/^\d{1,3}(?:[\u00A0\u202F ]\d{3})+(?:[.,]\d+)?$/.test(written)
      ? written.split(/[\u00A0\u202F ]/)
      : [written],
  );

/** Possible values of a numeral: its last point or comma may group, or begin the fraction. */
function readings(written: string): number[] {
  const [, whole = written, fraction = ''] = /^(.*)[.,](\d+)$/.exec(written) ?? [];
  const digits = (text: string) => text.replaceAll(/\D/g, '');
  return [Number(digits(written)), Number(`${digits(whole)}.${fraction || '0'}`)];
}

function collect(value: unknown, steps: string[], present: Set<number>): void {
  if (isCollection(value)) {
    if (Array.isArray(value)) present.add(value.length);
    for (const [name, member] of Object.entries(value)) {
      const written = Array.isArray(value) ? [] : numeralsIn(name);
      for (const numeral of written) present.add(Number(readings(numeral)[0]));
      collect(member, [...steps, name], present);
    }
    return;
  }
  const unit = minorUnitOf(steps);
  const values =
    typeof value === 'number'
      ? [Math.abs(value)]
      : typeof value === 'string'
        ? numeralsIn(value).flatMap(readings)
        : [];
  for (const each of values) {
    present.add(each);
    if (unit !== null) present.add(each / (unit === 'micros' ? 1_000_000 : 100));
  }
}
