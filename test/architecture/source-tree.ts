import { parseSync } from '@swc/core';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface SourceFile {
  /** From the root of its tree: `engine/voting/cast-vote.ts`. */
  name: string;
  text: string;
  /** Every specifier it imports, as written. */
  imports: string[];
  /** The files of its own tree that it imports, named like `name`; files of another tree begin with `..`. */
  local: string[];
}

/** Every TypeScript file below a directory, but for generated and installed ones. */
export function readTree(root: string): SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/(^|\/)(generated|node_modules)\//.test(name))
    .toSorted()
    .map((name) => readSourceFile(root, name));
}

function readSourceFile(root: string, name: string): SourceFile {
  const text = readFileSync(path.join(root, name), 'utf8');
  const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap(([, specifier = '']) => specifier);
  const local = imports
    .filter((specifier) => /^[.#]/.test(specifier))
    .map((specifier) => path.relative(root, addressOf(specifier, path.join(root, path.dirname(name)))));
  return { name, text, imports, local };
}

/** What one house imports of another (`#core/…`) is a path below src without its ending. */
const addressOf = (specifier: string, folder: string): string =>
  specifier.startsWith('#') ? `src/${specifier.slice(1)}.ts` : path.join(folder, specifier);

/** The folder of a file within `inside`, one level deep: `voting` for `engine/voting/cast-vote.ts` in `engine`. */
export function roomOf(name: string, inside = ''): string {
  const rest = (inside === '' ? name : name.slice(inside.length + 1)).replace(/^internal\//, '');
  return rest.includes('/') ? (rest.split('/')[0] ?? '') : '(root)';
}

/** Which rooms of a folder import which others; with no folder, those of the whole tree. */
export function arrowsIn(
  files: SourceFile[],
  inside = '',
  placeOf = (name: string): string => roomOf(name, inside),
): Map<string, Set<string>> {
  const within = (name: string): boolean => inside === '' || name.startsWith(`${inside}/`);
  const arrows = new Map<string, Set<string>>();
  for (const { name, local } of files.filter((file) => within(file.name))) {
    const from = placeOf(name);
    const targets = arrows.get(from) ?? arrows.set(from, new Set()).get(from);
    for (const target of local.filter((other) => !other.startsWith('..') && within(other))) {
      const to = placeOf(target);
      if (to !== from) targets?.add(to);
    }
  }
  return arrows;
}

/** What a file calls its values, parameters and functions; not the fields that it takes by their own name. */
export function declaredNames({ name, text }: SourceFile): string[] {
  const names: string[] = [];
  visit(parse(name, text).body, (node) => {
    if (node.type === 'VariableDeclarator') names.push(...namesIn(node['id']));
    if (node.type === 'FunctionDeclaration') names.push(...namesIn(node['identifier']));
    if (node.type === 'Parameter') names.push(...namesIn(node['pat']));
    if (node.type === 'ArrowFunctionExpression') names.push(...(node['params'] as unknown[]).flatMap(namesIn));
  });
  return names;
}

/** Where a pattern holds the patterns inside it. */
const inner: Record<string, string> = {
  ArrayPattern: 'elements',
  ObjectPattern: 'properties',
  KeyValuePatternProperty: 'value',
  AssignmentPattern: 'left',
  RestElement: 'argument',
};

function namesIn(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === 'Identifier') return [String(pattern['value'])];
  return [pattern[inner[pattern.type] ?? '']].flat().flatMap(namesIn);
}

/** The functions of a file that are longer than a number of lines, by name or place. */
export function longFunctions({ name, text }: SourceFile, ceiling: number): string[] {
  const bytes = Buffer.from(text);
  const { body, span } = parse(name, text);
  const base = span.start - leadingBytes(text); // swc counts on from the file it parsed before
  const lineAt = (place: number): number =>
    bytes
      .subarray(0, place - base)
      .toString()
      .split('\n').length;
  const long: string[] = [];
  visit(body, (node) => {
    if (!functionKinds.has(node.type)) return;
    const [from, to] = [lineAt(node.span.start), lineAt(node.span.end)];
    if (to - from + 1 > ceiling) long.push(`${name}:${from} has ${to - from + 1} lines`);
  });
  return long;
}

const functionKinds = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassMethod',
  'MethodProperty',
  'Constructor',
]);

interface SyntaxNode {
  type: string;
  span: { start: number; end: number };
  [part: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode => typeof value === 'object' && value !== null && 'type' in value;

const parse = (name: string, text: string) =>
  parseSync(text, { syntax: 'typescript', tsx: name.endsWith('.tsx'), decorators: true });

function visit(value: unknown, see: (node: SyntaxNode) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && 'span' in value) see(value as SyntaxNode);
  for (const child of Object.values(value)) visit(child, see);
}

/** How far into the file its first token stands: a module's span begins there. */
function leadingBytes(text: string): number {
  const lead = /^(?:\s+|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(text)?.[0] ?? '';
  return Buffer.byteLength(lead);
}
