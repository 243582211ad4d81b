interface Decimal {
  units: bigint;
  /** Digits after the point. */
  scale: number;
}

/** The difference, exact, in plain digits: sums of money are never rounded. */
export const minus = (from: string | number, amount: string | number): string => combine(from, amount, (a, b) => a - b);

/** The sum, exact, in plain digits. */
export const plus = (first: string | number, other: string | number): string => combine(first, other, (a, b) => a + b);

function combine(first: string | number, other: string | number, how: (a: bigint, b: bigint) => bigint): string {
  const [a, b] = [parse(String(first)), parse(String(other))];
  const scale = Math.max(a.scale, b.scale);
  return write(how(at(a, scale), at(b, scale)), scale);
}

function parse(text: string): Decimal {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text) ?? [];
  const units = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

const at = ({ units, scale }: Decimal, target: number): bigint => units * 10n ** BigInt(target - scale);

function write(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}`;
  return scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`;
}
