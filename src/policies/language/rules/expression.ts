import type { Environment, ParseResult } from '@marcbachmann/cel-js';
import { maxRe2Length, userEnvironment, requestEnvironment, variables } from './cel.ts';
import {
  bindZones,
  isNarrow,
  namedBy,
  partOfCommand,
  variablesOf,
  walkExpression,
  type Cost,
  type NamedThing,
  type Refusal,
} from './walk.ts';
import { formatsIn } from '#platform/text/formats';
import { nearestName } from '#platform/text/nearest-name';
import type { DirectoryUser } from '../../document/rules/directory.ts';
import type { Facts } from '../../document/rules/document.ts';
import type { ConsideredRule } from '../../contract/considered-rule.ts';

/** Steps an evaluation may take, as estimated before it starts. */
const maxSteps = 1_000_000;
/** The steps an expression may always take for each person. */
const stepsForEach = 1_000;
const maxExpressionLength = 2_000;
/** Characters read in the time of a step. */
const charactersInStep = 100;

/** A condition that was parsed and type-checked, and is cheap. */
export interface Condition {
  text: string;
  clauses: CompiledClause[];
  /** Variables that it reads. */
  variables: string[];
  /** Does it limit an argument to few values? */
  isNarrow: boolean;
  /** Place at which the condition compares a part of a shell command; null if it never does. */
  ofCommand: Refusal | null;
}

interface CompiledClause {
  text: string;
  run: ParseResult;
  cost: Cost;
  /** The server or tool without whose name it is false, whatever else is asked. */
  names: NamedThing | null;
}

type Compiled = { ok: true; condition: Condition } | ({ ok: false } & Refusal);

export type Scope = 'request' | 'user';

/** Compiles a boolean CEL expression. A refusal has its place as an offset into the text. */
export function compileCondition(text: string, scope: Scope): Compiled {
  if (text.length > maxExpressionLength)
    return { ok: false, message: `Must have at most ${maxExpressionLength} characters.`, offset: 0 };
  const environment = scope === 'user' ? userEnvironment : requestEnvironment;
  const refuse = (error: unknown): Compiled => ({ ok: false, ...explainRefusal(error, text, variables[scope]) });
  try {
    const whole = environment.parse(text);
    const walked = walkExpression(whole.ast);
    if ('refusal' in walked) return { ok: false, ...walked.refusal };
    const checked = whole.check();
    if (!checked.valid) return refuse(checked.error);
    if (checked.type !== 'bool' && checked.type !== 'dyn')
      return { ok: false, message: `Must be true or false, not of type ${checked.type ?? 'unknown'}.`, offset: 0 };
    const clauses = compileClauses(environment, text, whole.ast.op === '&&', walked.cost.nodes);
    const { ast } = whole;
    const facts = { variables: variablesOf(ast), isNarrow: isNarrow(ast), ofCommand: partOfCommand(ast) };
    return { ok: true, condition: { text, clauses, ...facts } };
  } catch (error) {
    return refuse(error);
  }
}

export interface Evaluation {
  result: 'applied' | 'not-applied' | 'failed';
  failure: string | null;
  clauses: ConsideredRule['clauses'];
}

/** Is it false for this server and tool whatever else is asked, because a clause names another? */
export const isElsewhere = ({ clauses }: Condition, request: { server: string; tool: string }): boolean =>
  clauses.some(({ names }) => names !== null && request[names.what] !== names.name);

/**
 * As in CEL, a false clause outweighs clauses that fail. `isBrief` leaves out what comes after the first false one, which
 * changes no result.
 */
export function evaluateCondition({ clauses }: Condition, context: CelContext, isBrief = false): Evaluation {
  const results: { text: string; value: boolean | string }[] = [];
  for (const clause of clauses) {
    const value = runClause(clause, context);
    results.push({ text: clause.text, value });
    if (isBrief && value === false) break;
  }
  const failed = results.find(({ value }) => typeof value === 'string');
  const isFalse = results.some(({ value }) => value === false);
  return {
    result: isFalse ? 'not-applied' : failed ? 'failed' : 'applied',
    failure: !isFalse && failed ? `${failed.text}: ${String(failed.value)}` : null,
    clauses: results.map(({ text, value }) => ({ text, holds: typeof value === 'string' ? null : value })),
  };
}

/** True or false, or why it is neither. */
function runClause(
  { text: clause, run, cost }: CompiledClause,
  { variables, longest, longestText, users }: CelContext,
): boolean | string {
  const length = Math.max(longestText, clause.length) * (1 + cost.sums);
  const reading = cost.readings * length + 2 * cost.states * Math.min(length, maxRe2Length);
  const each = cost.nodes + Math.ceil(reading / charactersInStep);
  const steps = each * Math.max(1, longest, cost.longestLiteral) ** cost.degree;
  if (steps > Math.max(maxSteps / users, stepsForEach)) return 'would take too many steps';
  try {
    const value: unknown = run(variables);
    return typeof value === 'boolean' ? value : 'is neither true nor false';
  } catch (error) {
    return refusalOf(error).message;
  }
}

/** The parts that `&&` joins; one part where these are not, node for node, what the whole is. */
function compileClauses(environment: Environment, text: string, isJoined: boolean, nodes: number): CompiledClause[] {
  const parts = isJoined ? splitClauses(text).map((part) => compileClause(environment, part)) : [];
  const sum = parts.reduce((total, { cost }) => total + cost.nodes + 1, -1);
  return sum === nodes ? parts : [compileClause(environment, text)];
}

function compileClause(environment: Environment, text: string): CompiledClause {
  const run = environment.parse(text);
  const walked = walkExpression(run.ast);
  if ('refusal' in walked) throw new TypeError(walked.refusal.message);
  bindZones(run.ast);
  run.check();
  return { text, run, cost: walked.cost, names: namedBy(run.ast) };
}

/** Strings and comments: nothing in them joins or nests. Raw strings end where the library ends them, as others do. */
const opaque = /"""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/.*/y;

/**
 * The parts of an expression that are joined by `&&` outside of any bracket, as they are written.
 * Only for an expression whose outermost operator is `&&`.
 */
function splitClauses(text: string): string[] {
  const clauses: string[] = [];
  let [depth, begin, at] = [0, 0, 0];
  while (at < text.length) {
    opaque.lastIndex = at;
    const skipped = opaque.exec(text)?.[0].length;
    if (skipped) {
      at += skipped;
      continue;
    }
    const character = text.charAt(at);
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    const isJoint = depth === 0 && text.startsWith('&&', at);
    if (isJoint) clauses.push(text.slice(begin, at).trim());
    at += isJoint ? 2 : 1;
    if (isJoint) begin = at;
  }
  return [...clauses, text.slice(begin).trim()];
}

const { all } = formatsIn('en');

/** The message and place of an evaluator's error. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return { message: 'It has an error.', offset: 0 };
  const { summary, range } = error as Error & { summary?: string; range?: { start: number } };
  return { message: summary ?? error.message, offset: range?.start ?? 0 };
}

/** Explains a refusal to the author of the expression: lists the known names and the one probably meant. */
function explainRefusal(error: unknown, text: string, names: Record<string, string[]>): Refusal {
  const { message, offset } = refusalOf(error);
  const variable = /^Unknown variable: (\w+)$/.exec(message)?.[1];
  if (variable !== undefined) return { message: formatNoVariable(variable, Object.keys(names)), offset };
  const key = /^No such key: (\w+)$/.exec(message)?.[1];
  const owner = /(\w+)\s*\.\s*$/.exec(text.slice(0, offset))?.[1];
  const keys = owner !== undefined && Object.hasOwn(names, owner) ? names[owner] : undefined;
  if (key !== undefined && keys) return { message: formatNone(`${owner}.${key}`, key, keys), offset };
  return { message: message.endsWith('.') ? message : `${message}.`, offset };
}

/** A name that resembles none is probably that of an argument. */
function formatNoVariable(name: string, names: string[]): string {
  const isArgument = nearestName(name, names) === null && names.includes('request');
  return isArgument
    ? `Write request.args.${name} if it is an argument of the tool: there is no variable ${name}. There are ${all(names)}.`
    : formatNone(`variable ${name}`, name, names);
}

function formatNone(what: string, name: string, names: string[]): string {
  const near = nearestName(name, names);
  return `There is no ${what}.${near === null ? '' : ` Did you mean ${near}?`} There are ${all(names)}.`;
}

/** The variables of one request as CEL reads them; made once, used by every expression. */
export interface CelContext {
  variables: Record<string, unknown>;
  /** The number of entries of the longest list or map in it. */
  longest: number;
  /** The number of characters of the longest text in it. */
  longestText: number;
  /** Number of people for whom the same expression is evaluated. */
  users: number;
}

const deepest = 64;

/** Throws RangeError if the arguments are nested deeper than 64. */
export function celContext({ request, tool, requester, agent, environment, now }: Facts): CelContext {
  const longestText = Math.max(request.reason?.length ?? 0, tool.reaches?.length ?? 0);
  const read: Read = { longest: requester.groups.length, longestText };
  const mapOf = (record: Record<string, unknown>): unknown => celValue(record, deepest, read);
  const { args, annotations, ...rest } = request;
  return {
    variables: {
      request: { ...rest, args: mapOf(args), annotations: mapOf(annotations) },
      tool,
      requester,
      agent,
      environment,
      now: new Date(now),
    },
    ...read,
    users: 1,
  };
}

/** One of several people for whom the same expression is evaluated. */
export function withUser(
  { variables, longest, longestText }: CelContext,
  user: DirectoryUser,
  users: number,
): CelContext {
  const { id, email, name, role, groups } = user;
  const person = { id, email, name, role, groups };
  return { variables: { ...variables, user: person }, longest: Math.max(longest, groups.length), longestText, users };
}

type Read = Pick<CelContext, 'longest' | 'longestText'>;

/** Maps instead of objects: a key called `constructor` is then a key like any other. */
function celValue(value: unknown, depth: number, read: Read): unknown {
  if (typeof value === 'string') read.longestText = Math.max(read.longestText, value.length);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) throw new RangeError(`The arguments are nested deeper than ${deepest}.`);
  if (Array.isArray(value)) {
    read.longest = Math.max(read.longest, value.length);
    return value.map((item: unknown) => celValue(item, depth - 1, read));
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  read.longest = Math.max(read.longest, entries.length);
  return new Map(entries.map(([key, item]) => [key, celValue(item, depth - 1, read)]));
}
