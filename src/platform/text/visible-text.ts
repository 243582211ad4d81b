import { hiddenAnywhere, hiddenInColumns, hiddenRunsIn } from './hidden-characters.ts';
import { lookalikeNote } from './lookalike-words.ts';
import { segmentsOf, type Segment } from './segments.ts';
import { lookalikesIn } from './lookalikes.ts';

/** Splits text so that control, reordering, invisible and edge-space characters and imitating letters can be shown. */
export const revealText = (text: string): Segment[] => segmentsOf(text, hiddenRunsIn(text), lookalikesIn(text));

/** Reveals a part of a line of code, where spaces at edges are visible: `line` decides which words imitate others. */
export const revealCode = (part: string, line: string): Segment[] =>
  segmentsOf(part, hiddenAnywhere, lookalikesIn(line));

/** Reveals text as a string, for chat and mails: `pay⟨U+200B⟩`. */
export const revealAsText = (text: string): string => writeSegments(revealText(text));

/** Reveals a line of our own in a terminal, whose columns are made of spaces. */
export const revealColumns = (line: string): string =>
  writeSegments(segmentsOf(line, hiddenInColumns, lookalikesIn(line)));

const writeSegments = (segments: Segment[]): string =>
  segments
    .map((segment) => {
      if (segment.kind === 'hidden') return segment.label;
      return segment.kind === 'text' ? segment.text : `${segment.text}⟨${lookalikeNote(segment)}⟩`;
    })
    .join('');

/** The form of every token of Assentry. */
const tokenForm = /v1\.[A-Za-z0-9-]{1,16}\.[A-Za-z0-9_-]{32,4000}\.[A-Za-z0-9_-]{43}/g;
/** Length of the shortest token in characters. */
const shortest = 96;
/** Run of characters without space or quotation mark, found in every spelling of a token and seldom in ordinary text. */
const unbroken = /[^\s"'<>{}]{64}/;
/** Limits of nested spellings: depth, and number read. */
const deepest = 6;
const maxSpellings = 200;

/**
 * Every text in the form of a token, also percent-encoded, escaped, in base64 or hexadecimal, broken into lines, or one of
 * these within another. It finds mistakes; it does not stop a person who hides a token.
 */
export function tokensIn(text: string): string[] {
  if (!unbroken.test(text)) return [];
  const tokens = new Set<string>();
  const spellings = new Set([text]);
  let level = [text];
  for (let depth = 0; level.length > 0 && depth <= deepest; depth += 1) {
    for (const spelling of level) for (const [token] of spelling.matchAll(tokenForm)) tokens.add(token);
    level = level.flatMap(decode).filter((next) => next.length >= shortest && isNew(spellings, next));
  }
  return [...tokens];
}

/** A fault for each part that holds the token of a callback address, which reports results. */
export const callbackFaults = (parts: Record<string, unknown>, isSecret: (token: string) => boolean) =>
  Object.entries(parts).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return tokensIn(text).some(isSecret) ? [{ path: [name], message: forService }] : [];
  });

const forService =
  'Leave out the callback address: people and clients read this. Give it to the service alone, from server to server.';

/** The token of a callback address, in its last step. */
export const callbackToken = (callbackUrl: string): string => callbackUrl.slice(callbackUrl.lastIndexOf('/') + 1);

function isNew(spellings: Set<string>, next: string): boolean {
  if (spellings.size >= maxSpellings || spellings.has(next)) return false;
  spellings.add(next);
  return true;
}

function decode(text: string): string[] {
  if (text.length < shortest) return [];
  return [
    percentDecoded(text),
    unescaped(text),
    unquoted(text),
    text.normalize('NFKC').replaceAll(/[\s\p{C}]/gu, ''),
    ...inBase64(text),
    ...inHex(text),
  ];
}

const percentDecoded = (text: string): string =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => fromHex(run.replaceAll('%', '')));

/** Decodes escapes of JSON, JavaScript and HTML. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});/gi, (whole, ...groups) =>
      characterOf(Number.parseInt(String(groups.slice(0, 4).find((group) => group !== undefined)), 16), whole),
    )
    .replaceAll(/&#(\d{1,7});/g, (whole, digits: string) => characterOf(Number(digits), whole))
    .replaceAll(/&(period|sol|hyphen|lowbar);/g, (_, name: string) => named[name] ?? '')
    .replaceAll(/\\[nrtbfv]/g, '')
    .replaceAll(/\\([^\\])/g, '$1');

/** Decodes the encoding of mail. */
const unquoted = (text: string): string =>
  text.replaceAll(/(?:=[0-9A-F]{2})+/g, (run) => fromHex(run.replaceAll('=', '')));

const named: Record<string, string> = { period: '.', sol: '/', hyphen: '-', lowbar: '_' };

const characterOf = (code: number, whole: string): string => (code <= 0x10ffff ? String.fromCodePoint(code) : whole);

/** Decodes base64. A path may precede the token, whose slash shifts the alignment. */
function inBase64(text: string): string[] {
  const runs = [...(text.match(/[A-Za-z0-9_-]{128,}/g) ?? []), ...(text.match(/[A-Za-z0-9+/]{128,}/g) ?? [])];
  return runs.flatMap((run) => [0, 1, 2, 3].map((skipped) => fromBase64(run.slice(skipped)))).filter(isReadable);
}

function fromBase64(run: string): string {
  const whole = run.slice(0, run.length - (run.length % 4 === 1 ? 1 : 0));
  return textOf([...atob(whole.replaceAll('-', '+').replaceAll('_', '/'))].map((byte) => byte.charCodeAt(0)));
}

const inHex = (text: string): string[] => (text.match(/(?:[0-9a-f]{2}){96,}/gi) ?? []).map(fromHex).filter(isReadable);

const fromHex = (digits: string): string =>
  textOf((digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));

const textOf = (bytes: number[]): string => new TextDecoder().decode(Uint8Array.from(bytes));

/** Can the text hold a token? Other bytes cannot. */
const isReadable = (text: string): boolean => /v1\.|[%\\&=]|[A-Za-z0-9+/_-]{128,}/.test(text);
