import { atOnce } from '#platform/crypto/in-turns/at-once';
import { isObject } from '../../frames/frame/frame.ts';

/** A secret of Assentry, under a name that may be shown. */
export interface KeptSecret {
  name: string;
  value: string;
}

/** What is shorter could be in any text by chance. */
const shortest = 16;

/** Finds secrets in messages: as they are, in base64 at any place, in hexadecimal digits, broken by white space or escapes. */
export class SecretFinder {
  readonly #forms: { name: string; form: string }[];
  /** All of them at once: one look at a long text. */
  readonly #pattern: RegExp;
  readonly #longest: number;

  constructor(secrets: readonly KeptSecret[]) {
    const usable = secrets.filter(({ value }) => value.length >= shortest);
    this.#forms = usable.flatMap(({ name, value }) => [...new Set(formsOf(value))].map((form) => ({ name, form })));
    this.#longest = Math.max(0, ...this.#forms.map(({ form }) => form.length));
    this.#pattern = new RegExp(this.#forms.map(({ form }) => form.replaceAll(/[^\w]/g, String.raw`\$&`)).join('|'));
  }

  /** The name of a secret that this message carries; null if it carries none. */
  find(message: unknown): string | null {
    return atOnce(this.search(message));
  }

  /** The same, which yields where it can be interrupted. */
  *search(message: unknown): Generator<void, string | null> {
    if (this.#forms.length === 0) return null;
    const texts: string[] = [];
    yield* collect(message, texts);
    const whole = texts.length > 1 ? [texts.join('')] : [];
    let count = 0;
    for (const text of [...texts, ...whole].filter(({ length }) => length >= shortest)) {
      if ((count += 1) % textsAtOnce === 0) yield;
      const name = text.length > partSize ? yield* this.#searchLong(text) : this.#findInShort(text);
      if (name !== null) return name;
    }
    return null;
  }

  #findInShort(text: string): string | null {
    const bare = joined(text);
    return this.#findIn(text) ?? (bare === text ? null : this.#findIn(bare));
  }

  /** A part after the other, each with the end of the one before: a secret may be in both. */
  *#searchLong(text: string): Generator<void, string | null> {
    let [end, bareEnd] = ['', ''];
    for (let at = 0, to = 0; at < text.length; at = to) {
      to = endOfPart(text, at);
      const part = text.slice(at, to);
      const bare = joined(part);
      const name = this.#findIn(end + part) ?? this.#findIn(bareEnd + bare);
      if (name !== null) return name;
      end = this.#endOf(end + part);
      bareEnd = this.#endOf(bareEnd + bare);
      yield;
    }
    return null;
  }

  #endOf(text: string): string {
    return text.slice(Math.max(0, text.length - this.#longest));
  }

  #findIn(text: string): string | null {
    if (!this.#pattern.test(text)) return null;
    return this.#forms.find(({ form }) => text.includes(form))?.name ?? null;
  }
}

/** Every text in it, names of members as well. */
function* collect(value: unknown, texts: string[]): Generator<void, void> {
  if (texts.length % textsAtOnce === 0) yield;
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const item of value) yield* collect(item, texts);
  else if (isObject(value))
    for (const [name, inner] of Object.entries(value)) {
      if (name.length >= shortest) texts.push(name);
      if (!isLabel(name, inner)) yield* collect(inner, texts);
    }
}

const textsAtOnce = 500;
/** Characters that are looked at at once. */
const partSize = 64 * 1024;

/** Where the part that begins here ends: not within an escape. */
function endOfPart(text: string, start: number): number {
  const end = start + partSize;
  if (end >= text.length) return text.length;
  const escape = text.slice(end - longestEscape + 1, end).lastIndexOf('\\');
  return escape < 0 ? end : end - longestEscape + 1 + escape;
}

const longestEscape = 6;

/** Such members would break a secret that is given in parts. */
const isLabel = (name: string, value: unknown): boolean =>
  ['jsonrpc', 'type', 'mimeType', 'role'].includes(name) && typeof value === 'string' && value.length < shortest;

/** Without what is between the parts of a broken text: white space, quotes, commas and escapes of JSON. */
function joined(text: string): string {
  const plain = text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  if (!between.test(plain)) return plain;
  const units = new Uint16Array(plain.length); // a tenth of the time of replaceAll in a long text
  let size = 0;
  for (let at = 0; at < plain.length; at += 1) {
    const code = plain.charCodeAt(at);
    if (code === backslash && 'nrt'.includes(plain[at + 1] ?? ' ')) at += 1;
    else if (!isBetween[code]) units[size++] = code;
  }
  return Buffer.from(units.buffer, 0, size * 2).toString('utf16le');
}

const backslash = 0x5c;
const between = /[\s"'\\,+]/;
const isBetween = Uint8Array.from({ length: 0x1_00_00 }, (_, code) => Number(between.test(String.fromCharCode(code))));

/** The texts by which it can be recognized. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  const encoded = ([0, 1, 2] as const).flatMap((before) => inBase64(bytes, before));
  return [value, hex, hex.toUpperCase(), ...encoded].flatMap((form) => [form, joined(form)]);
}

/** What is in base64 whatever surrounds it, if so many bytes (modulo 3) come before. */
function inBase64(bytes: Buffer, before: 0 | 1 | 2): string[] {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]);
  const end = Math.floor(whole.length / 3) * 4; // what follows changes only the last group, if that is not full
  return (['base64', 'base64url'] as const).map((encoding) =>
    whole.toString(encoding).slice(before === 0 ? 0 : before + 1, end),
  );
}
