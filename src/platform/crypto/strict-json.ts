import { invalidInput, Problem } from '../model/problem.ts';
import { atOnce } from './in-turns.ts';
import { isWellFormed } from './digest.ts';

interface JsonLimits {
  /** Depth limit of objects and arrays. */
  depth: number;
  /** Limit of keys and elements in all. */
  members: number;
  /** Accepts numbers that would change when parsed: for text that is passed on unchanged. */
  anyNumber?: boolean;
}

export const jsonLimits: JsonLimits = { depth: 32, members: 10_000 };

/**
 * Parses JSON from outside, and accepts only what every other parser would read the same. Repeated or `__proto__` keys,
 * numbers that would change, integers beyond ±(2^53 − 1), lone surrogates and too much of anything are INVALID_INPUT
 * with the path of the member. The canonical form of accepted text is accepted as well.
 */
export const parseStrictJson = (text: string, limits: JsonLimits = jsonLimits): unknown =>
  atOnce(parseStrictJsonInParts(text, limits));

/** As `parseStrictJson`, but yields where it can be interrupted: a long text takes long. */
export function* parseStrictJsonInParts(text: string, limits: JsonLimits = jsonLimits): Generator<void, unknown> {
  const value = parse(text);
  yield;
  yield* new JsonScan(text, limits).run();
  return value;
}

/** Tokens between two places where the scan can be interrupted. */
const tokensAtOnce = 2_000;

function parse(text: string): unknown {
  if (text === '') throw invalidInput([], 'Send a JSON document.');
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes the text, which may be a payload.
    throw invalidInput([], 'This is not valid JSON.');
  }
}

/** One object or array being read, and its current key or index. */
interface Frame {
  keys: Set<string> | null;
  step: string | number;
  awaitsKey: boolean;
}

const numberToken = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const integerText = /^-?\d+$/;

/** Walks once over valid JSON, and finds what JSON.parse silently merged or rounded. */
class JsonScan {
  readonly #text: string;
  readonly #limits: JsonLimits;
  readonly #frames: Frame[] = [];
  #at = 0;
  #members = 0;

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  *run(): Generator<void, void> {
    for (let count = 1; this.#at < this.#text.length; count += 1) {
      this.#takeToken(this.#text.charAt(this.#at));
      if (count % tokensAtOnce === 0) yield;
    }
  }

  #takeToken(char: string): void {
    if (char === '"') return this.#takeString();
    if (char === '-' || (char >= '0' && char <= '9')) return this.#takeNumber();
    if (char === '{') this.#enter({ keys: new Set(), step: '', awaitsKey: true });
    else if (char === '[') this.#enter({ keys: null, step: 0, awaitsKey: false });
    else if (char === '}' || char === ']') this.#frames.pop();
    else if (char === ',') this.#advance();
    else if (char === 't' || char === 'f' || char === 'n') this.#countValue();
    // The rest is white space, colons and the tails of true, false and null.
    this.#at += 1;
  }

  #enter(frame: Frame): void {
    this.#countValue();
    if (this.#frames.length >= this.#limits.depth) {
      this.#refuse(`This is nested more than ${this.#limits.depth} levels deep.`);
    }
    this.#frames.push(frame);
  }

  #advance(): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    if (typeof frame.step === 'number') frame.step += 1;
    else frame.awaitsKey = true;
  }

  #takeString(): void {
    const literal = this.#text.slice(this.#at, this.#endOfString());
    this.#at += literal.length;
    const frame = this.#frames.at(-1);
    const isKey = frame?.awaitsKey === true;
    // Of escapes in a value, only those by digits can make it no valid Unicode.
    const isPlain = !literal.includes(isKey ? '\\' : '\\u');
    const text: string = isPlain ? literal.slice(1, -1) : JSON.parse(literal);
    if (frame?.awaitsKey && frame.keys) this.#takeKey(frame, frame.keys, text);
    else this.#countValue();
    if (!isWellFormed(text)) this.#refuse('This text is not valid Unicode.');
  }

  #endOfString(): number {
    let quote = this.#text.indexOf('"', this.#at + 1);
    while (this.#isEscaped(quote)) quote = this.#text.indexOf('"', quote + 1);
    return quote + 1;
  }

  #isEscaped(quote: number): boolean {
    let before = quote - 1;
    while (this.#text.charAt(before) === '\\') before -= 1;
    return (quote - before) % 2 === 0;
  }

  #takeKey(frame: Frame, keys: Set<string>, key: string): void {
    frame.step = key;
    frame.awaitsKey = false;
    if (key === '__proto__') this.#refuse('This name is not allowed.');
    if (keys.has(key)) this.#refuse('This name appears twice in its object. Send it once.');
    keys.add(key);
  }

  #takeNumber(): void {
    this.#countValue();
    numberToken.lastIndex = this.#at;
    const literal = numberToken.exec(this.#text)?.[0] ?? '';
    this.#at += literal.length;
    if (!this.#limits.anyNumber && !isExact(literal))
      this.#refuse('This number cannot be kept exactly. Send it as a string.');
  }

  #countValue(): void {
    if (this.#frames.length === 0) return;
    this.#members += 1;
    if (this.#members > this.#limits.members)
      this.#refuse(`There are more than ${this.#limits.members} members in all.`);
  }

  #refuse(message: string): never {
    throw new Problem('INVALID_INPUT', { errors: [{ path: this.#frames.map((frame) => frame.step), message }] });
  }
}

/** A number must be kept as written, and an integer must be one that every parser reads the same. */
function isExact(literal: string): boolean {
  const value = Number(literal);
  const text = String(value);
  const isSame = literal === text || decimalOf(literal) === decimalOf(text);
  if (!Number.isFinite(value) || !isSame) return false;
  // An integer counts as one however it is written: 1e20 becomes 1 and twenty zeros.
  const isInteger = integerText.test(literal) || integerText.test(text);
  return !isInteger || Number.isSafeInteger(value);
}

/** Canonical decimal of a number: its digits without zeros at either end, and their power of ten. */
function decimalOf(literal: string): string {
  const [mantissa = '', power = '0'] = literal.replace(/^-/, '').split(/e/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length; // a loop, because /0+$/ is quadratic in zeros that are not at the end
  while (digits[end - 1] === '0') end -= 1;
  if (end === 0) return '0';
  const sign = literal.startsWith('-') ? '-' : '';
  return `${sign}${digits.slice(0, end)}e${Number(power) - fraction.length + digits.length - end}`;
}
