import type { Environment, ParseResult } from '@marcbachmann/cel-js';
import type { CelContext } from './context.ts';
import { maxRe2Length, userEnvironment, requestEnvironment, variables } from '../cel/environment.ts';
import { splitClauses } from './clauses.ts';
import { explainRefusal, refusalOf } from './refusal.ts';
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
} from '../walk.ts';
import type { Clause } from '../../../document/rules/verdict/verdict.ts';

/** Steps an evaluation may take, as estimated before it starts. */
const maxSteps = 1_000_000;
/** The steps an expression may always take for each person. */
const stepsForEach = 1_000;
const maxExpressionLength = 2_000;
/** How many characters are read in the time of a step. */
const charactersInStep = 100;

/** A condition that was parsed and type-checked, and is cheap. */
export interface Condition {
  text: string;
  clauses: CompiledClause[];
  /** Which variables it asks about. */
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
  clauses: Clause[];
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
