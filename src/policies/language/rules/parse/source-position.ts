import { isAlias, isMap, isPair, isScalar, isSeq, type Alias, type Document, type Node, type Scalar } from 'yaml';
import type { FieldError } from '#platform/model/problem';
import type { Fault } from '../faults/schema-faults.ts';

const deepestNode = 24;
const maxNodes = 20_000;
/** Aliases are resolved in the whole document. */
const maxAliases = 100;

export const tooDeep = `Must not be nested more than ${deepestNode} levels deep.`;

/** What is wrong with a document before it is made into values: it nests too deep, repeats a key, or is too much. */
export function findExcess(document: Document.Parsed): { message: string; offset: number } | null {
  const walk: Walk = { document, aliases: new Map(), nodeCount: 0, offset: 0 };
  const message = walkNode(walk, document.contents, 0);
  return message === null ? null : { message, offset: walk.offset };
}

interface Walk {
  document: Document.Parsed;
  /** The node behind each alias. */
  aliases: Map<Alias, Node | null>;
  nodeCount: number;
  /** The offset of the last visited node. */
  offset: number;
}

/** Aliases are followed, so one that leads into itself, or multiplies, meets the same two limits. */
function walkNode(walk: Walk, value: unknown, depth: number): string | null {
  const node = isAlias(value) ? lookUp(walk, value) : ((value as Node | null) ?? null);
  if (walk.aliases.size > maxAliases) return `Must not refer to others more than ${maxAliases} times.`;
  if (!node) return isAlias(value) ? refuseAlias(walk, value) : null;
  walk.offset = node.range?.[0] ?? walk.offset;
  walk.nodeCount += 1;
  if (walk.nodeCount > maxNodes) return `Must not hold more than ${maxNodes} values.`;
  if (depth > deepestNode) return tooDeep;
  const bad = findBadKey(node);
  if (bad) {
    walk.offset = bad.key.range?.[0] ?? walk.offset;
    return bad.message;
  }
  for (const child of childrenOf(node)) {
    const message = walkNode(walk, child, depth + 1);
    if (message) return message;
  }
  return null;
}

function lookUp({ document, aliases }: Walk, alias: Alias): Node | null {
  const target = aliases.get(alias);
  if (target !== undefined) return target;
  const node = resolve(document, alias);
  aliases.set(alias, node);
  return node;
}

function refuseAlias(walk: Walk, alias: Alias): string {
  walk.offset = alias.range?.[0] ?? walk.offset;
  return 'Name an anchor that is defined above.';
}

/** A key that records drop would be lost silently. The library's own search compares every two keys of a map. */
function findBadKey(node: Node): { key: Scalar; message: string } | null {
  if (!isMap(node)) return null;
  const names = new Set<unknown>(['__proto__']);
  const keys = node.items.map(({ key }) => key).filter((key) => isScalar(key));
  const key = keys.find(({ value }) => names.size === names.add(String(value)).size);
  if (!key) return null;
  return {
    key,
    message:
      key.value === '__proto__' ? 'There is no key __proto__ here.' : `The key ${String(key.value)} is here twice.`,
  };
}

/** Where a fault is in the text: at the value, at the key that must not be, or within an expression. */
export function offsetOf(document: Document.Parsed, text: string, { path, isKey, within }: Fault): number {
  const place = follow(document, path);
  const value = place.isWhole ? resolve(document, place.value) : null;
  if (isKey || !value || isEmpty(value)) return place.start;
  if (within !== undefined && isScalar(value)) return offsetWithin(text, value, within);
  return value.range?.[0] ?? place.start;
}

/** Within which value or key of the document an offset is; the innermost part that has it. */
export function pathAt(document: Document.Parsed, offset: number): FieldError['path'] {
  const path: FieldError['path'] = [];
  let node: Node | null = document.contents;
  while (node) {
    const [step, next] = stepTo(node, offset);
    if (step === null) return path;
    path.push(step);
    node = next;
  }
  return path;
}

function stepTo(node: Node, offset: number): [string | number, Node | null] | [null, null] {
  if (isSeq(node)) {
    const at = node.items.findIndex((item) => covers(item, offset));
    return at < 0 ? [null, null] : [at, node.items[at] as Node];
  }
  if (!isMap(node)) return [null, null];
  const pair = node.items.find(({ key, value }) => covers(key, offset) || covers(value, offset));
  if (!pair) return [null, null];
  return [isScalar(pair.key) ? String(pair.key.value) : '', covers(pair.key, offset) ? null : (pair.value as Node)];
}

function covers(part: unknown, offset: number): boolean {
  const [start, , end] = (part as Node | null)?.range ?? [0, 0, 0];
  return start <= offset && offset < end;
}

interface Place {
  value: unknown;
  /** Where it starts with its key; for what does not exist, the start of the innermost part that does. */
  start: number;
  isWhole: boolean;
}

function follow(document: Document.Parsed, path: FieldError['path']): Place {
  let place: Place = {
    value: document.contents,
    start: document.contents?.range[0] ?? document.range[0],
    isWhole: true,
  };
  for (const step of path) {
    const next = stepInto(resolve(document, place.value), step);
    if (!next) return { ...place, isWhole: false };
    place = next;
  }
  return place;
}

function stepInto(node: Node | null, step: string | number): Place | null {
  if (isSeq(node)) {
    const value = node.items[Number(step)] as Node | undefined;
    return value ? { value, start: value.range?.[0] ?? 0, isWhole: true } : null;
  }
  if (!isMap(node)) return null;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
  return pair ? { value: pair.value, start: (pair.key as Scalar).range?.[0] ?? 0, isWhole: true } : null;
}

/**
 * The place of a character of a scalar's value in the text. Both are walked side by side: what the text has more
 * than the value is white space of folding and indentation, or the backslash or quote of an escape.
 */
function offsetWithin(text: string, { value, range, type }: Scalar, within: number): number {
  const start = range?.[0] ?? 0;
  const end = range?.[1] ?? start;
  let at = type === 'PLAIN' ? start : 1 + (type?.startsWith('BLOCK') ? text.indexOf('\n', start) : start);
  const written = String(value);
  for (let index = 0; index < within; index += 1) {
    at = skipTo(text, at, end, written.charAt(index)) + 1;
  }
  return within < written.length ? skipTo(text, at, end, written.charAt(within)) : Math.min(at, end);
}

function skipTo(text: string, from: number, end: number, character: string): number {
  const isSpace = /\s/.test(character);
  let at = from;
  while (at < end && text.charAt(at) !== character && !(isSpace && /\s/.test(text.charAt(at)))) at += 1;
  return at < end ? at : from;
}

const resolve = (document: Document.Parsed, value: unknown): Node | null =>
  (isAlias(value) ? value.resolve(document) : (value as Node | null | undefined)) ?? null;

const isEmpty = (node: Node): boolean => isScalar(node) && node.value === null;

const childrenOf = (node: Node): unknown[] =>
  isMap(node) ? node.items.map((pair) => (isPair(pair) ? pair.value : pair)) : isSeq(node) ? node.items : [];
