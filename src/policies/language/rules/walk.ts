import type { ASTNode } from '@marcbachmann/cel-js';
import { compilePattern, zonedAccessors, faultOfFolder, faultOfSite, faultOfStart } from './cel.ts';

/** The cost of running an expression. */
export interface Cost {
  nodes: number;
  /** Depth of nested loops; a search with `in` is one. */
  degree: number;
  /** The longest list written in it. */
  longestLiteral: number;
  /** Readings of a text from end to end. */
  readings: number;
  /** States of its patterns, each of which reads a text. */
  states: number;
  /** Joins of texts to longer ones. */
  sums: number;
}

const variables = ['request', 'tool', 'requester', 'agent', 'environment', 'now', 'user'];

/** Variables that an expression names. A loop's own variable of the same name counts too. */
export function variablesOf(node: ASTNode): string[] {
  const own = node.op === 'id' && variables.includes(node.args) ? [node.args] : [];
  return [...new Set([...own, ...childrenOf(node).flatMap(variablesOf)])];
}

/** A thing that must have a name for a comparison to hold. */
export interface NamedThing {
  what: 'server' | 'tool';
  name: string;
}

/** The thing named by `request.server == "payments"`; null for any other expression. */
export function namedBy(node: ASTNode): NamedThing | null {
  if (node.op !== '==') return null;
  const [first, second] = node.args;
  const [field, literal] = second.op === 'value' ? [first, second] : [second, first];
  if (literal.op !== 'value' || typeof literal.args !== 'string' || field.op !== '.') return null;
  const [of, what] = field.args;
  const isName = of.op === 'id' && of.args === 'request' && (what === 'server' || what === 'tool');
  return isName ? { what, name: literal.args } : null;
}

/** Does it hold only for few values of an argument: for some that it names, up to an amount, in a folder or on a site? */
export function isNarrow(node: ASTNode): boolean {
  switch (node.op) {
    case '&&':
      return node.args.some(isNarrow);
    case '==':
      return node.args.some(isArgument) && node.args.some((side) => isNamedValue(literalOf(side)));
    case '<':
    case '<=':
      return isArgument(node.args[0]) && isAmount(literalOf(node.args[1]));
    case 'in':
      return isArgument(node.args[0]) && node.args[1].op === 'list' && node.args[1].args.every(isLiteral);
    case 'call':
      return Object.hasOwn(placeFaults, node.args[0]) && node.args[1][0] !== undefined && isArgument(node.args[1][0]);
    default:
      return false;
  }
}

/**
 * Finds a comparison with the beginning or a part of a shell command, which does not tell what a shell runs. Null if
 * there is none.
 */
export function partOfCommand(node: ASTNode): Refusal | null {
  const compared =
    node.op === 'rcall' && comparingMethods.includes(node.args[0])
      ? node.args[1]
      : node.op === 'call' && comparingFunctions.includes(node.args[0])
        ? node.args[1][0]
        : undefined;
  if (compared && namesCommand(compared)) return refuse(node, partly);
  for (const child of childrenOf(node)) {
    const inner = partOfCommand(child);
    if (inner) return inner;
  }
  return null;
}

const comparingMethods = ['startsWith', 'endsWith', 'contains', 'matches'];
const comparingFunctions = ['re2', 'like', 'matches'];
const partly =
  'Use runsOnly(request.args.command, ["npm test", "git status"]): a shell runs more than the beginning or a part of a command shows.';

/** Arguments that a shell reads. A place that the call itself computes could be one. */
const commandNames = /^(?:command|cmd|command_?line|shell_?command|bash_?command|script|shell)s?$/i;

function namesCommand(node: ASTNode): boolean {
  if (node.op === '.' && commandNames.test(String(node.args[1]))) return isOfArguments(node.args[0]);
  if (node.op === '[]' && isOfArguments(node.args[0])) {
    const name = literalOf(node.args[1]);
    if (typeof name !== 'string' || commandNames.test(name)) return true;
  }
  return childrenOf(node).some(namesCommand);
}

const isOfArguments = (node: ASTNode): boolean =>
  (node.op === '.' && node.args[1] === 'args') ||
  ((node.op === '.' || node.op === '[]') && isOfArguments(node.args[0]));

/** `request.args.NAME`, or something within it. */
function isArgument(node: ASTNode): boolean {
  // A place that the call itself computes could be any.
  if (node.op !== '.' && (node.op !== '[]' || !isLiteral(node.args[1]))) return false;
  const [of] = node.args;
  const isArgs = of.op === '.' && of.args[1] === 'args' && of.args[0].op === 'id' && of.args[0].args === 'request';
  return isArgs || isArgument(of);
}

const literalOf = (node: ASTNode): unknown => (node.op === 'value' ? node.args : undefined);
const isLiteral = (node: ASTNode): boolean => isNamedValue(literalOf(node));
const isAmount = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';
const isNamedValue = (value: unknown): boolean => isAmount(value) || (typeof value === 'string' && value !== '');

export interface Refusal {
  message: string;
  offset: number;
}

const comprehensions = ['all', 'exists', 'exists_one', 'map', 'filter'];
const deepestNesting = 2;

const functions = [
  'has',
  'size',
  'like',
  're2',
  'inFolder',
  'onSite',
  'runsOnly',
  'string',
  'int',
  'double',
  'bool',
  'timestamp',
  'duration',
  'type',
  'dyn',
];
const methods = [
  ...comprehensions,
  'size',
  'startsWith',
  'endsWith',
  'contains',
  'lowerAscii',
  'upperAscii',
  'trim',
  ...Object.keys(zonedAccessors),
  'getSeconds',
  'getMilliseconds',
];

/**
 * Refuses what the language does not have, and estimates the cost of the rest.
 * The library's `matches` backtracks, `bind` and `join` multiply texts: only what is listed here may be called.
 */
export function walkExpression(ast: ASTNode): { refusal: Refusal } | { cost: Cost } {
  const refusal = findRefusal(ast, 0);
  return refusal ? { refusal } : { cost: weigh(ast) };
}

function findRefusal(node: ASTNode, nesting: number): Refusal | null {
  const own = refuseNode(node);
  if (own) return own;
  const inner = isComprehension(node) ? nesting + 1 : nesting;
  if (inner > deepestNesting) return refuse(node, `Nest at most ${deepestNesting} of ${comprehensions.join(', ')}.`);
  const [receiver, ...rest] = childrenOf(node);
  const first = receiver && findRefusal(receiver, isComprehension(node) ? nesting : inner);
  if (first) return first;
  for (const child of rest) {
    const refusal = findRefusal(child, inner);
    if (refusal) return refusal;
  }
  return null;
}

function refuseNode(node: ASTNode): Refusal | null {
  if (node.op === 'call') return refuseCall(node, node.args[0], node.args[1]);
  if (node.op !== 'rcall') return null;
  const [name] = node.args;
  if (name === 'matches')
    return refuse(node, 'Use re2(text, "pattern"), which takes linear time: there is no matches.');
  return methods.includes(name) ? null : refuse(node, `There is no method ${name}.`);
}

/**
 * Calls our own accessors if a time zone is named.
 * The library reads a zone's clock through that of the process, which is wrong where either changes its clocks.
 */
export function bindZones(node: ASTNode): void {
  const zoned = node.op === 'rcall' && node.args[2].length === 1 ? zonedAccessors[node.args[0]] : undefined;
  if (zoned && node.op === 'rcall') node.args[0] = zoned;
  childrenOf(node).forEach(bindZones);
}

function refuseCall(node: ASTNode, name: string, values: ASTNode[]): Refusal | null {
  if (name === 'matches')
    return refuse(node, 'Use re2(text, "pattern"), which takes linear time: there is no matches.');
  if (!functions.includes(name)) return refuse(node, `There is no function ${name}.`);
  if (values.length !== 2) return null;
  if (Object.hasOwn(placeFaults, name)) return refusePlace(node, name, values[1]);
  if (name === 'runsOnly') return refuseStarts(node, values[1]);
  if (name !== 're2') return null;
  const pattern = values[1];
  if (pattern?.op !== 'value' || typeof pattern.args !== 'string')
    return refuse(pattern ?? node, 'Write the pattern of re2 as a literal text.');
  try {
    compilePattern(pattern.args);
    return null;
  } catch (error) {
    return refuse(pattern, `Must be a pattern of RE2: ${error instanceof Error ? error.message : 'it has an error'}.`);
  }
}

const placeFaults: Record<string, (place: string) => string | null> = { inFolder: faultOfFolder, onSite: faultOfSite };

/** A place that the call itself could name would be none. */
function refusePlace(node: ASTNode, name: string, place: ASTNode | undefined): Refusal | null {
  const text = place && literalOf(place);
  const fault = typeof text === 'string' ? placeFaults[name]?.(text) : `Write the place of ${name} as a literal text.`;
  return fault ? refuse(place ?? node, fault) : null;
}

/** Refuses a list of commands that the call itself could name: it would allow anything. */
function refuseStarts(node: ASTNode, list: ASTNode | undefined): Refusal | null {
  if (list?.op !== 'list' || list.args.length === 0)
    return refuse(list ?? node, 'Write the commands of runsOnly as a list of literal texts.');
  for (const start of list.args) {
    const text = literalOf(start);
    const fault = typeof text === 'string' ? faultOfStart(text) : 'Write the commands of runsOnly as literal texts.';
    if (fault) return refuse(start, fault);
  }
  return null;
}

const readers = [
  'inFolder',
  'onSite',
  'runsOnly',
  'size',
  'like',
  'contains',
  'lowerAscii',
  'upperAscii',
  'trim',
  'string',
  'int',
  'double',
  'timestamp',
];

const isReading = (node: ASTNode): boolean =>
  (node.op === 'call' || node.op === 'rcall') && readers.includes(node.args[0]);

function statesOf(node: ASTNode): number {
  const pattern = node.op === 'call' && node.args[0] === 're2' ? node.args[1][1] : undefined;
  return pattern?.op === 'value' && typeof pattern.args === 'string' ? compilePattern(pattern.args).programSize() : 0;
}

function weigh(node: ASTNode): Cost {
  const children = childrenOf(node);
  const costs = children.map(weigh);
  const sum = (read: (cost: Cost) => number): number => costs.reduce((total, cost) => total + read(cost), 0);
  const most = (read: (cost: Cost) => number): number => Math.max(0, ...costs.map(read));
  const body = Math.max(0, ...costs.slice(1).map(({ degree }) => degree));
  const degree = isComprehension(node) ? Math.max(costs[0]?.degree ?? 0, body + 1) : most((cost) => cost.degree);
  return {
    nodes: 1 + sum(({ nodes }) => nodes),
    degree: node.op === 'in' && node.args[1].op !== 'list' ? Math.max(degree, 1) : degree,
    longestLiteral: Math.max(
      node.op === 'list' ? children.length : 0,
      most((cost) => cost.longestLiteral),
    ),
    readings: Number(isReading(node)) + sum(({ readings }) => readings),
    states: statesOf(node) + sum(({ states }) => states),
    sums: Number(node.op === '+') + sum(({ sums }) => sums),
  };
}

function isComprehension(node: ASTNode): boolean {
  return node.op === 'rcall' && comprehensions.includes(node.args[0]);
}

function childrenOf(node: ASTNode): ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return node.args;
  }
}

const refuse = ({ start }: ASTNode, message: string): Refusal => ({ message, offset: start });
