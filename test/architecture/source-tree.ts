import { parseSync } from '@swc/core';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface SourceFile {
  /** From the root of its tree: `people/roles/verbs.ts`. */
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
    .filter((name) => /\.tsx?$/.test(name) && !/(^|\/)(generated|node_modules)\/|^locales\//.test(name))
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

/** What one subject imports of another (`#people/…`) is a path below src without its ending. */
const addressOf = (specifier: string, folder: string): string =>
  specifier.startsWith('#') ? `src/${specifier.slice(1)}.ts` : path.join(folder, specifier);

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
