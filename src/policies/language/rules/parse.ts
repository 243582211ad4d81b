import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Alias,
  type Document,
  type Node,
  type Scalar,
  Composer,
  CST,
  Lexer,
  Parser,
  LineCounter,
  type YAMLParseError,
  type YAMLWarning,
} from 'yaml';
import type { FieldError } from '#platform/model/problem';
import { type Fault, commandFaults, flattenIssues, hiddenFaults } from './faults.ts';
import type { PolicyDocument } from '../../document/rules/document.ts';
import { policyDocumentSchema } from './schema.ts';

const deepestNode = 24;
const maxNodes = 20_000;
/** Aliases are resolved in the whole document. */
const maxAliases = 100;

const tooDeep = `Must not be nested more than ${deepestNode} levels deep.`;

/** Faults of a document before it is made into values: it nests too deep, repeats a key, or is too much. */
function findExcess(document: Document.Parsed): { message: string; offset: number } | null {
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

/** Offset of a fault in the text: at the value, at the key that must not be, or within an expression. */
export function offsetOf(document: Document.Parsed, text: string, { path, isKey, within }: Fault): number {
  const place = follow(document, path);
  const value = place.isWhole ? resolve(document, place.value) : null;
  if (isKey || !value || isEmpty(value)) return place.start;
  if (within !== undefined && isScalar(value)) return offsetWithin(text, value, within);
  return value.range?.[0] ?? place.start;
}

/** Within which value or key of the document an offset is; the innermost part that has it. */
function pathAt(document: Document.Parsed, offset: number): FieldError['path'] {
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
  /** Its start with its key; for an absent value, the start of the innermost part that exists. */
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

/** Nodes that are open at the same time. */
const deepest = 64;
/** Indicators, tags and anchors one after another. */
const maxRun = 64;

/** Limits on reading a text, because reading holds up everyone else. */
interface ReadingLimits {
  /** Names, values and marks of YAML. */
  maxTokens: number;
  maxDocuments: number;
}

type ReadDocuments = { ok: true; documents: Document.Parsed[] } | { ok: false; excess: 'depth' | 'tokens' };

/**
 * The documents of a text, and one more than allowed if there are more. Documents without content are left out.
 * The parser is driven token by token: it is recursive, and a stack that ends within it can end the process.
 */
function readDocuments(text: string, lineCounter: LineCounter, limits: ReadingLimits): ReadDocuments {
  const tokens = readTokens(text, lineCounter, limits.maxTokens);
  if (typeof tokens === 'string') return { ok: false, excess: tokens };
  const composer = new Composer({ lineCounter, prettyErrors: false, stringKeys: true, uniqueKeys: false });
  const documents: Document.Parsed[] = [];
  for (const document of composer.compose(tokens, false, text.length)) {
    if (hasContent(document)) documents.push(document);
    if (documents.length > limits.maxDocuments) break;
  }
  return { ok: true, documents };
}

function readTokens(text: string, { addNewLine }: LineCounter, maxTokens: number): CST.Token[] | 'depth' | 'tokens' {
  const parser = new Parser(addNewLine);
  const tokens: CST.Token[] = [];
  let run = 0;
  let count = 0;
  addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > maxTokens) return 'tokens';
    for (const token of parser.next(lexeme)) tokens.push(token);
    run = lengthOfRun(run, CST.tokenType(lexeme));
    if (parser.stack.length > deepest || run > maxRun) return 'depth';
  }
  return [...tokens, ...parser.end()];
}

function lengthOfRun(run: number, type: CST.TokenType | null): number {
  switch (type) {
    case 'seq-item-ind':
    case 'explicit-key-ind':
    case 'map-value-ind':
    case 'anchor':
    case 'tag':
      return run + 1;
    case 'space':
      return run;
    default:
      return 0;
  }
}

const hasContent = ({ contents, errors }: Document.Parsed): boolean =>
  errors.length > 0 || !isScalar(contents) || contents.value !== null;

/** One fault and its place: `path` in the document, `line` and `column` in the text, both from 1. */
export interface PolicyError extends FieldError {
  line: number;
  column: number;
}

type ParsedPolicies = { ok: true; policies: PolicyDocument[] } | { ok: false; errors: PolicyError[] };
type ParsedPolicy = { ok: true; policy: PolicyDocument } | { ok: false; errors: PolicyError[] };

const maxTextLength = 65_536;
const maxFileLength = 262_144;
const maxErrors = 50;
/** A long policy of every term has some 2,000 tokens. */
const onePolicy: ReadingLimits = { maxTokens: 8_000, maxDocuments: 1 };
const manyPolicies: ReadingLimits = { maxTokens: Number.POSITIVE_INFINITY, maxDocuments: 10_000 };

/**
 * Reads one policy, written as YAML or JSON. Every error has its position, those inside of expressions too. A text that is not
 * in force yet has more faults: what was learned after others were published.
 */
export function parsePolicy(text: string, { isNew = false } = {}): ParsedPolicy {
  const parsed = readAll(text, { longest: maxTextLength, isNew }, onePolicy);
  if (!parsed.ok) return parsed;
  const [policy] = parsed.policies;
  return policy ? { ok: true, policy } : refuseText('Write a policy: this text has none.');
}

/** Reads any number of new policies, separated by `---`. Their names must differ. */
export const parsePolicies = (text: string): ParsedPolicies =>
  readAll(text, { longest: maxFileLength, isNew: true }, manyPolicies);

function readAll(
  text: string,
  { longest, isNew }: { longest: number; isNew: boolean },
  limits: ReadingLimits,
): ParsedPolicies {
  if (text.length > longest) return refuseText(`Must have at most ${longest} characters.`);
  const lines = new LineCounter();
  const yaml = readDocuments(text, lines, limits);
  if (!yaml.ok)
    return refuseText(
      yaml.excess === 'depth'
        ? tooDeep
        : `Must have at most ${limits.maxTokens} YAML tokens: names, values and marks such as “:”.`,
    );
  const read = yaml.documents.map((document) => ({ document, ...readDocument(document, text, isNew) }));
  const faults = [
    ...(isNew ? refuseHidden(yaml.documents, text) : []),
    ...read.flatMap((file) => file.faults),
    ...refuseCount(read, limits.maxDocuments),
    ...refuseSameName(read),
  ];
  if (faults.length > 0) return { ok: false, errors: faults.slice(0, maxErrors).map((fault) => place(fault, lines)) };
  return { ok: true, policies: read.flatMap(({ policy }) => (policy ? [policy] : [])) };
}

interface PlacedFault extends FieldError {
  offset: number;
}

interface Read {
  document: Document.Parsed;
  policy: PolicyDocument | null;
  faults: PlacedFault[];
}

function readDocument(document: Document.Parsed, text: string, isNew: boolean): Omit<Read, 'document'> {
  const [error] = [...document.errors, ...document.warnings];
  if (error) return { policy: null, faults: [{ path: [], message: formatYaml(error), offset: error.pos[0] }] };
  const excess = findExcess(document);
  if (excess) return { policy: null, faults: [{ path: [], ...excess }] };
  const value: unknown = document.toJS({ maxAliasCount: -1 }); // they are counted above
  const parsed = policyDocumentSchema.safeParse(value);
  const faults = parsed.success
    ? isNew
      ? commandFaults(parsed.data)
      : []
    : flattenIssues(parsed.error.issues, value).slice(0, maxErrors);
  if (parsed.success && faults.length === 0) return { policy: parsed.data, faults: [] };
  return { policy: null, faults: faults.map((fault) => ({ ...fault, offset: offsetOf(document, text, fault) })) };
}

function refuseHidden(documents: Document.Parsed[], text: string): PlacedFault[] {
  return hiddenFaults(text).map((fault) => {
    const document = documents.find(({ range: [start, , end] }) => start <= fault.offset && fault.offset < end);
    return { ...fault, path: document ? pathAt(document, fault.offset) : [] };
  });
}

function refuseCount(read: Read[], most: number): PlacedFault[] {
  const extra = read[most];
  return extra
    ? [{ path: [], message: 'Keep one policy: only one is allowed here.', offset: startOf(extra.document) }]
    : [];
}

function refuseSameName(read: Read[]): PlacedFault[] {
  const names = new Set<string>();
  return read.flatMap(({ document, policy }) => {
    if (!policy || names.size < names.add(policy.policy).size) return [];
    const fault = { path: ['policy'], message: 'Choose another name: a policy above has this one.' };
    return [{ ...fault, offset: startOf(document) }];
  });
}

const startOf = ({ contents, range }: Document.Parsed): number => contents?.range[0] ?? range[0];

function place({ path, message, offset }: PlacedFault, lines: LineCounter): PolicyError {
  const { line, col } = lines.linePos(offset);
  return { path, message, line, column: col };
}

const formatYaml = ({ code, message }: YAMLParseError | YAMLWarning): string => {
  if (code === 'TAG_RESOLVE_FAILED') return 'Remove the tag: a value is text, a number, true, false, a list or keys.';
  return message.endsWith('.') ? message : `${message}.`;
};

const refuseText = (message: string): { ok: false; errors: PolicyError[] } => ({
  ok: false,
  errors: [{ path: [], message, line: 1, column: 1 }],
});
